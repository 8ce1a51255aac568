// `a + a` inside `cel.bind` doubles at every level, and `replace` and `join` grow as fast: results need an end.
extension Value {
    /// Elements that a list made by an operator or a function may have.
    static let largestList = 1_000_000
}

extension EvaluationError {
    static var textTooLong: EvaluationError {
        EvaluationError(.budgetExceeded, "the result would be longer than \(Value.largestText) bytes")
    }

    static var listTooLong: EvaluationError {
        EvaluationError(.budgetExceeded, "the list would have more than \(Value.largestList) elements")
    }
}

/// A text put together piece by piece, which ends in an error instead of growing beyond the limit.
struct BoundedText {
    private(set) var text = ""

    mutating func append(_ piece: some StringProtocol) throws(EvaluationError) {
        guard text.utf8.count + piece.utf8.count <= Value.largestText else { throw .textTooLong }
        text.append(contentsOf: piece)
    }
}
