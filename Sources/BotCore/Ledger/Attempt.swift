package import CEL
package import Rules

/// A call to Zimmer whose intent is in the ledger.
package struct Attempt: Hashable, Sendable {
    package var action: Int64
    package var run: RunKey
    package var request: WriteRequest
    /// Stands at the start of a text that we send, so that it is recognised when the answer is lost.
    package var mark: String
    /// How often the call has been made, this one included.
    package var number: Int
    package var intendedAt: Timestamp

    /// How an attempt ended.
    package enum Outcome: Hashable, Sendable {
        /// - Parameter result: the session as Zimmer's answer has it.
        case done(String, result: Snapshot? = nil)
        /// Zimmer refused; trying again would not help.
        case refused(String)
        /// It had no effect and may be tried again, not before the given time has passed.
        case retry(String, after: Duration?)
        /// It may or may not have had an effect.
        case unsettled(String)
        /// Reading back did not settle it. Never repeated.
        case unknown(String)
    }
}
