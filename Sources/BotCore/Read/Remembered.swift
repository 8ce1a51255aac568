import Synchronization

/// What was answered before, each with the tag under which Zimmer may say that it is still so.
///
/// An answer that is still so is a fresh reading of the former value.
final class Remembered<Question: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Answer: Sendable {
        var etag: String
        var value: Value
        var order: Int
    }

    private struct State {
        var answers: [Question: Answer] = [:]
        var count = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: beyond it the answer that came first is forgotten.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The tag to send, if there is one.
    func etag(for question: Question) -> String? {
        state.withLock { $0.answers[question]?.etag }
    }

    /// The value of an answer: the former one where Zimmer says that it is still so, else what `read` makes of it.
    func value(
        of answer: ZimmerAnswer, to question: Question, read: (ZimmerAnswer) throws(ZimmerError) -> Value
    ) throws(ZimmerError) -> Value {
        if answer.isNotModified {
            if let known = state.withLock({ $0.answers[question]?.value }) { return known }
            throw ZimmerError(
                .badBody, status: answer.status,
                message: "Zimmer says that nothing changed since an answer that is gone",
                requestID: answer.requestID)
        }
        let value = try read(answer)
        state.withLock { state in
            state.count += 1
            state.answers[question] = answer.etag.map { Answer(etag: $0, value: value, order: state.count) }
            if state.answers.count > capacity, let oldest = state.answers.min(by: { $0.value.order < $1.value.order }) {
                state.answers[oldest.key] = nil
            }
        }
        return value
    }

    /// Forgets the answers to other questions than these.
    func keep(_ isKept: (Question) -> Bool) {
        state.withLock { state in state.answers = state.answers.filter { isKept($0.key) } }
    }
}
