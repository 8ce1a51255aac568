package import AdapterKit
import CEL
import Rules
import Synchronization

/// Writes down what became of the calls of Zimmer: every write and every failure, at the level `debug` every call. A trouble
/// that lasts is said when it begins and when it is over, not at each call. No query, no body, no credential.
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
    private let news = Mutex(CallNews())

    package init(_ log: any AdapterLog, _ clock: any BotClock) {
        self.log = log
        self.clock = clock
    }

    func elapsed() -> Duration { clock.elapsed() }

    package func note(_ record: Record) {
        let isWrite = !ZimmerCall.reads.contains(record.call)
        let found = news.withLock { $0.note(record, at: elapsed()) }
        var values = values(of: record)
        if isWrite {
            let level: AdapterLogLevel = record.error == nil ? .info : .warning
            log.write(level, record.error == nil ? "wrote to Zimmer" : "a write to Zimmer failed", values)
        }
        // A refusal may repeat what was written.
        if !isWrite, let error = record.error { values.append(("problem", error.description)) }
        switch found {
        case .outage: log.write(.warning, "Zimmer cannot be read", values)
        case .failure where !isWrite: log.write(.warning, "a call of Zimmer failed", values)
        case .over(let after, let failed):
            let away = [(name: "after", value: after.humanized), (name: "failed_calls", value: String(failed))]
            log.write(.info, "Zimmer can be read again", away)
            if !isWrite { log.write(.debug, "a call of Zimmer", values) }
        case .works: log.write(.info, "a call of Zimmer works again", values)
        case .nothing, .failure:
            if !isWrite { log.write(.debug, "a call of Zimmer", values) }
        }
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

/// What is worth a line, of calls one after the other.
struct CallNews: Sendable {
    enum Finding: Hashable, Sendable {
        case nothing
        /// Zimmer as a whole cannot be read from now on, or for another reason.
        case outage
        case over(after: Duration, failedCalls: Int)
        /// This call fails from now on, or in another way.
        case failure
        /// This one no longer does.
        case works
    }

    private var reach = ZimmerReach()
    private var outage: (trouble: ZimmerTrouble, since: Duration, failedCalls: Int)?
    /// How calls fail that did at their last time.
    private var failing: [ZimmerCall: ZimmerError.Code] = [:]

    mutating func note(_ record: CallLog.Record, at elapsed: Duration) -> Finding {
        reach.note(record.call.rawValue, record.error, at: Timestamp(seconds: 0))
        guard let trouble = reach.trouble?.error.trouble else {
            if let outage {
                self.outage = nil
                failing = [:]
                return .over(after: elapsed - outage.since, failedCalls: outage.failedCalls)
            }
            return noteSingly(record)
        }
        let before = outage
        outage = (trouble, before?.since ?? elapsed, (before?.failedCalls ?? 0) + (record.error == nil ? 0 : 1))
        return before?.trouble == trouble ? .nothing : .outage
    }

    private mutating func noteSingly(_ record: CallLog.Record) -> Finding {
        guard let error = record.error else {
            return failing.removeValue(forKey: record.call) == nil ? .nothing : .works
        }
        // A session, or what belongs to one, that is gone is an answer like any other.
        if error.code == .notFound, !error.label.isEmpty { return .nothing }
        return failing.updateValue(error.code, forKey: record.call) == error.code ? .nothing : .failure
    }
}
