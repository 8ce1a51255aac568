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

    /// Charges for telling whether two texts are the same; false when there are not that many steps left.
    mutating func spend(comparing a: String, _ b: String) -> Bool {
        let count = a.utf8.count
        return count < 1_024 || count != b.utf8.count || spend(count >> 6)
    }

    /// False when there are not that many left, and from then on.
    @inline(__always)
    mutating func spend(_ steps: Int) -> Bool {
        let (rest, overflow) = remaining.subtractingReportingOverflow(steps)
        remaining = overflow ? -1 : rest
        return remaining >= 0
    }
}

extension Value {
    /// The steps that going once through a text takes; nothing for other values.
    var weight: Int {
        switch self {
        case .string(let text): text.utf8.count >> 6
        case .bytes(let bytes): bytes.count >> 6
        default: 0
        }
    }
}

extension EvaluationError {
    static let budgetExceeded = EvaluationError(
        .budgetExceeded, "the expression takes too many steps; make its lists shorter or nest fewer loops")
}
