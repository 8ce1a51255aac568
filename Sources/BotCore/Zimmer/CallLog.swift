package import AdapterKit
import CEL
import Rules
import Synchronization

/// Writes down what became of readings and calls: every write, at the level `debug` every call and every reading. A trouble
/// that lasts is said when it begins and when it is over, not each time. No query, no body, no credential.
package final class CallLog: Sendable {
    /// A call that has ended.
    package struct Record: Sendable {
        package var call: ZimmerCall
        package var method: String
        /// Below `/api/v1`.
        package var path: [String]
        /// Zero when there was no answer.
        package var status = 0
        package var took: Duration = .zero
        package var requestID: String?
        package var error: ZimmerError?

        package init(_ call: ZimmerCall, _ method: String, _ path: [String]) {
            self.call = call
            self.method = method
            self.path = path
        }
    }

    private let log: any AdapterLog
    private let clock: any BotClock
    private let advice: ZimmerAdvice
    private let news = Mutex((calls: CallNews(), readings: ReadingNews()))

    package init(_ log: any AdapterLog, _ clock: any BotClock, advice: ZimmerAdvice = ZimmerAdvice()) {
        self.log = log
        self.clock = clock
        self.advice = advice
    }

    func elapsed() -> Duration { clock.elapsed() }

    package func note(_ record: Record) {
        var values = values(of: record)
        guard ZimmerCall.reads.contains(record.call) else {
            // A refusal may repeat what was written.
            let level: AdapterLogLevel = record.error == nil ? .info : .warning
            return log.write(level, record.error == nil ? "wrote to Zimmer" : "a write to Zimmer failed", values)
        }
        if let error = record.error { values.append(("problem", Self.short(error.description))) }
        let found = news.withLock { $0.calls.note(record, at: elapsed(), isOutage: $0.readings.isOutage) }
        switch found {
        case .failure: log.write(.warning, "a call of Zimmer failed", values + remedy(for: record.error))
        case .works: log.write(.info, "a call of Zimmer works again", values)
        case .nothing: log.write(.debug, "a call of Zimmer", values)
        }
    }

    // MARK: - Readings

    /// - Parameters:
    ///   - problem: why the reading is not whole; nil for one that is.
    ///   - trouble: what keeps Zimmer as a whole from being read, as `status` and notices say it.
    package func note(
        _ reader: String, _ error: ZimmerError?, _ problem: String?, _ trouble: ZimmerTrouble?
    ) {
        let found = news.withLock {
            $0.readings.note(reader, error, isWhole: problem == nil, trouble, at: elapsed())
        }
        var values = [(name: "reader", value: reader)]
        if let error {
            values.append(("error", error.code.rawValue))
            if error.status != 0 { values.append(("status", String(error.status))) }
            if let id = error.requestID { values.append(("x-request-id", String(id.prefix(100)))) }
        }
        if let problem { values.append(("problem", Self.short(problem))) }
        for finding in found {
            switch finding {
            case .outage: log.write(.warning, "Zimmer cannot be read", values + remedy(for: error))
            case .failed: log.write(.warning, "a reading failed", values + remedy(for: error))
            case .partial: log.write(.warning, "a reading is not whole", values)
            case .works: log.write(.info, "a reading works again", [("reader", reader)])
            case .whole: log.write(.info, "a reading is whole again", [("reader", reader)])
            case .over(let after, let failed):
                log.write(
                    .info, "Zimmer can be read again",
                    [("after", after.humanized), ("failed_readings", String(failed))])
            }
        }
        if found.isEmpty, problem != nil { log.write(.debug, "a reading is not whole", values) }
    }

    private func remedy(for error: ZimmerError?) -> [(name: String, value: String)] {
        error.map { [(name: "what_to_do", value: advice.remedy(for: $0))] } ?? []
    }

    /// What Zimmer said may be long.
    private static func short(_ text: String) -> String {
        text.unicodeScalars.count > 300 ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(300))) + "…" : text
    }

    private func values(of record: Record) -> [(name: String, value: String)] {
        var values = [
            (name: "call", value: record.call.rawValue), (name: "method", value: record.method),
            (name: "path", value: "/api/v1/" + record.path.joined(separator: "/")),
            (name: "status", value: record.status == 0 ? "-" : String(record.status)),
            (name: "ms", value: String(Int64(record.took / .milliseconds(1)))),
        ]
        if let id = record.requestID { values.append(("x-request-id", String(id.prefix(100)))) }
        if let error = record.error { values.append(("error", error.code.rawValue)) }
        return values
    }
}
