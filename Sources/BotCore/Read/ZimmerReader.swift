package import CEL

/// Reads what is one answer: health, costs, one session.
package struct ZimmerReader: Sendable {
    private let client: ZimmerClient
    private let decoder: SessionDecoder
    private let health = Remembered<Bool, Object>(capacity: 1)
    private let costs = Remembered<CostsInterval, CostsReading>(capacity: 8)

    package init(_ client: ZimmerClient, decoder: SessionDecoder) {
        self.client = client
        self.decoder = decoder
    }

    /// A session that came with the answer to something else.
    package func row(_ json: JSONValue) -> SessionRow? { decoder.row(json) }

    /// - Parameter now: the instant of this reading, on Zimmer's clock.
    package func health(at now: Timestamp, timeout: Duration) async throws(ZimmerError) -> HealthReading {
        let answer = try await client.health(etag: health.etag(for: true), timeout: timeout)
        let object = try health.value(of: answer, to: true) { answer throws(ZimmerError) in
            HealthReading(try answer.document().root, readAt: now, serverDate: nil).object
        }
        return HealthReading(object, readAt: now, serverDate: answer.serverDate)
    }

    /// - Parameter now: the instant of this reading, on Zimmer's clock.
    package func costs(
        _ window: CostsInterval, at now: Timestamp, timeout: Duration
    ) async throws(ZimmerError) -> CostsReading {
        let answer = try await client.costs(window, etag: costs.etag(for: window), timeout: timeout)
        let reading = try costs.value(of: answer, to: window) { answer throws(ZimmerError) in
            let reading = CostsReading(try answer.document().root, window: window, readAt: now, serverDate: nil)
            guard reading.isOfWindow else {
                throw ZimmerError(
                    .badBody, status: answer.status, message: "Zimmer answered with the costs of another window",
                    requestID: answer.requestID)
            }
            return reading
        }
        return CostsReading(reading.object, window: window, readAt: now, serverDate: answer.serverDate)
    }

    /// The session as it is now, archived or not; nil when there is none of that id any more.
    package func session(_ id: Int64, timeout: Duration) async throws(ZimmerError) -> SessionRow? {
        let answer: ZimmerAnswer
        do throws(ZimmerError) {
            answer = try await client.session(id, timeout: timeout)
        } catch {
            // Only Zimmer's own 404 is about the row; anything else may be about the route.
            if error.code == .notFound, !error.label.isEmpty { return nil }
            throw error
        }
        guard let row = try answer.document().root["session"].flatMap({ decoder.row($0) }), row.id == id else {
            throw ZimmerError(
                .badBody, status: answer.status, message: "Zimmer's answer is not session \(id)",
                requestID: answer.requestID)
        }
        return row
    }
}
