import CEL

/// Reads what a session's row does not show. Never throws: what failed is said in the details.
struct DetailReader: Sendable {
    private let client: ZimmerClient

    init(_ client: ZimmerClient) {
        self.client = client
    }

    /// - Parameters:
    ///   - lacking: features that this Zimmer is known not to have.
    ///   - now: the instant of this reading, on Zimmer's clock.
    func details(
        _ wanted: Set<SessionDetail>, of row: SessionRow, lacking: Set<ServerFeature> = [], at now: Timestamp,
        timeout: Duration
    ) async -> SessionDetails {
        var details = SessionDetails(of: row, at: now)
        for detail in SessionDetail.allCases where wanted.contains(detail) {
            if let feature = detail.feature, lacking.contains(feature) {
                details.fail(detail, feature.error)
                continue
            }
            do throws(ZimmerError) {
                details.take(detail, try await read(detail, of: row, at: now, timeout: timeout))
                if let feature = detail.feature { details.features[feature] = true }
            } catch {
                guard let feature = detail.feature, error.code == .notFound, await exists(row.id, timeout) else {
                    details.fail(detail, error)
                    continue
                }
                details.features[feature] = false
                details.fail(detail, feature.error)
            }
        }
        return details
    }

    /// A path below a session that is there is one that this Zimmer does not know.
    private func exists(_ session: Int64, _ timeout: Duration) async -> Bool {
        do throws(ZimmerError) {
            _ = try await client.session(session, timeout: timeout)
            return true
        } catch {
            return error.code == .unreadable
        }
    }

    private func read(
        _ detail: SessionDetail, of row: SessionRow, at now: Timestamp, timeout: Duration
    ) async throws(ZimmerError) -> SessionDetailDecoder.Values {
        switch detail {
        case .page:
            let answer = try await client.session(row.id, timeout: timeout)
            return SessionDetailDecoder.page(try answer.document().root, of: row.id)
        case .conversation:
            let document = try await client.newestMessages(of: row.id, atMost: 50, timeout: timeout)
            return SessionDetailDecoder.conversation(document.root)
        case .queue:
            let answer = try await client.queue(of: row.id, timeout: timeout)
            return SessionDetailDecoder.queue(try answer.document().root)
        case .costs:
            guard case .timestamp(let start) = row.slots[SessionField.createdAt.slot] else {
                return [.costUSD: .error(.unreadable("since when the session exists is not known"))]
            }
            let life = CostsInterval(from: start.startOfMinute, to: (now + .seconds(60)).startOfMinute, session: row.id)
            let answer = try await client.costs(life, timeout: timeout)
            let reading = CostsReading(
                try answer.document().root, window: life, readAt: now, serverDate: answer.serverDate)
            return SessionDetailDecoder.costs(reading, of: row.id)
        }
    }
}

extension ZimmerClient {
    /// The newest messages of a session: fewer of them where so many are too much for one answer.
    func newestMessages(
        of session: Int64, atMost limit: Int, timeout: Duration
    ) async throws(ZimmerError) -> JSONDocument {
        do throws(ZimmerError) {
            return try await conversation(of: session, limit: limit, timeout: timeout).document()
        } catch {
            guard error.code == .unreadable, limit > 1 else { throw error }
        }
        return try await newestMessages(of: session, atMost: max(limit / 7, 1), timeout: timeout)
    }
}

extension SessionDetail {
    /// What a Zimmer lacks that does not have its path; nil where every Zimmer has it.
    fileprivate var feature: ServerFeature? {
        switch self {
        case .page, .costs: nil
        case .conversation: .conversation
        case .queue: .queue
        }
    }
}

extension Timestamp {
    /// As Zimmer rounds the ends of windows.
    fileprivate var startOfMinute: Timestamp { Timestamp(seconds: seconds - seconds % 60) }
}
