/// The steps an evaluation may still take. Work that grows with data is charged before it is done.
struct Budget {
    private(set) var remaining: Int

    init(_ steps: Int) {
        remaining = steps
    }

    var isExhausted: Bool { remaining < 0 }

    mutating func charge(_ steps: Int) throws(EvaluationError) {
        if !spend(steps) { throw .budgetExceeded }
    }

    /// Charges for going once through `bytes` bytes of text.
    mutating func charge(bytes: Int) throws(EvaluationError) {
        try charge(bytes >> 6)
    }

    /// False when there are not that many left, and from then on.
    @inline(__always)
    mutating func spend(_ steps: Int) -> Bool {
        let (rest, overflow) = remaining.subtractingReportingOverflow(steps)
        remaining = overflow ? -1 : rest
        return remaining >= 0
    }
}

extension EvaluationError {
    static let textTooLong = EvaluationError(
        .budgetExceeded, "the text is longer than \(Value.largestText) bytes")

    static let budgetExceeded = EvaluationError(
        .budgetExceeded, "the expression takes too many steps; make its lists shorter or nest fewer loops")
}
