import CEL

/// Reads what a session's row does not show. Never throws: what failed is said in the details.
struct DetailReader: Sendable {
    private let client: ZimmerClient

    init(_ client: ZimmerClient) {
        self.client = client
    }

    /// - Parameter now: the instant of this reading, on Zimmer's clock.
    func details(
        _ wanted: Set<SessionDetail>, of row: SessionRow, at now: Timestamp, timeout: Duration
    ) async -> SessionDetails {
        var details = SessionDetails(of: row, at: now)
        for detail in SessionDetail.allCases where wanted.contains(detail) {
            do throws(ZimmerError) {
                details.take(detail, try await read(detail, of: row, at: now, timeout: timeout))
            } catch {
                details.fail(detail, error)
            }
        }
        return details
    }

    private func read(
        _ detail: SessionDetail, of row: SessionRow, at now: Timestamp, timeout: Duration
    ) async throws(ZimmerError) -> SessionDetailDecoder.Values {
        switch detail {
        case .page:
            let answer = try await client.session(row.id, timeout: timeout)
            return SessionDetailDecoder.page(try answer.document().root, of: row.id)
        case .conversation:
            let answer = try await client.conversation(of: row.id, limit: 50, timeout: timeout)
            return SessionDetailDecoder.conversation(try answer.document().root)
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

extension Timestamp {
    /// As Zimmer rounds the ends of windows.
    fileprivate var startOfMinute: Timestamp { Timestamp(seconds: seconds - seconds % 60) }
}
