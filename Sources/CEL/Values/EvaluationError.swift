/// Why an expression has no value.
package final class EvaluationError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// Something optional that is not there: a member of null, a missing key, an index past the end.
        case absent
        case noSuchField, noSuchKey, noSuchOverload, noSuchVariable
        case divisionByZero, overflow, invalidArgument
        /// The evaluation took more steps than it was given.
        case budgetExceeded
        /// The host could not read this value; the message says why. Never produced by an expression alone.
        case unavailable
    }

    package let code: Code
    package let message: String
    /// The node that failed, as UTF-8 offsets into the program's source.
    package let range: Range<Int>?

    package init(_ code: Code, _ message: String, at range: Range<Int>? = nil) {
        self.code = code
        self.message = message
        self.range = range
    }

    package var description: String { message }
}
