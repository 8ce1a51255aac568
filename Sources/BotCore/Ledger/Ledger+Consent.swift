import CEL
import Rules

/// Whether a person allowed a write that a rule asks for with `confirm`.
extension Ledger {
    enum Consent {
        /// To this, as they saw it.
        case given(WriteRequest)
        case missing(LastLook)
    }

    /// - Parameters:
    ///   - request: as the last look filled it in.
    ///   - person: who alone may allow it; nil for any of those that the rule names.
    func consent(
        to request: WriteRequest, _ confirmation: Confirmation, at run: Run, only person: String?
    ) throws -> Consent {
        let until = run.stepSince + confirmation.within
        guard let id = try MemoryStore(database).id(of: run.key),
            let approval = try ApprovalStore(database).approval(run: id, step: run.step)
        else {
            let isLate = instant() > until
            return .missing(
                isLate
                    ? .withdrawn("nobody confirmed it within \(confirmation.within.humanized)")
                    : .wait("waits for a person in \(confirmation.channel) until \(until.wholeSeconds)"))
        }
        // Byte by byte: names that only look the same are of different accounts.
        func isTheirs(_ name: String) -> Bool { name.utf8.elementsEqual(approval.person.utf8) }
        guard approval.at <= until, confirmation.people.contains(where: isTheirs), person.map(isTheirs) ?? true else {
            return .missing(.withdrawn("the word of \(approval.person) does not count for this"))
        }
        guard approval.request.name == request.name, approval.request.target == request.target else {
            return .missing(
                .withdrawn("\(approval.person) was asked about something else: \(approval.request.summary)"))
        }
        let hasBegun = try ActionStore(database).open(run: id, step: run.step) != nil
        guard approval.usedAt == nil || hasBegun else {
            return .missing(.withdrawn("the word of \(approval.person) was used already"))
        }
        return .given(approval.request)
    }
}
