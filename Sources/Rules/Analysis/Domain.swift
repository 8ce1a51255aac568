/// What a term can be: everything, less what a condition rules out.
struct Domain: Hashable {
    struct Bound: Hashable {
        var value: Constant
        var isIncluded: Bool
    }

    /// Nil: any.
    private(set) var values: Set<Constant>?
    private(set) var excluded: Set<Constant> = []
    private(set) var lower: Bound?
    private(set) var upper: Bound?

    /// Everything.
    init() {}

    init(_ values: Set<Constant>) {
        self.values = values
    }

    init(allBut excluded: Set<Constant>) {
        self.excluded = excluded
    }

    init(above bound: Bound) {
        lower = bound
    }

    init(below bound: Bound) {
        upper = bound
    }

    static let present = Domain(allBut: [.null])

    func intersection(_ other: Domain) -> Domain {
        var both = self
        both.values = values.flatMap { own in other.values.map { own.intersection($0) } ?? own } ?? other.values
        both.excluded.formUnion(other.excluded)
        if let bound = other.lower, lower.map({ bound.isTighter(than: $0, isLower: true) }) ?? true {
            both.lower = bound
        }
        if let bound = other.upper, upper.map({ bound.isTighter(than: $0, isLower: false) }) ?? true {
            both.upper = bound
        }
        return both
    }

    func contains(_ value: Constant) -> Bool {
        if let values, !values.contains(value) { return false }
        return !excluded.contains(value) && isWithinBounds(value)
    }

    /// Nothing is left. False where that is not known.
    var isEmpty: Bool {
        if let values { return !values.contains(where: contains) }
        guard let lower, let upper, let isAbove = upper.value.isLess(than: lower.value) else { return false }
        if isAbove { return true }
        guard lower.value == upper.value else { return false }
        return !lower.isIncluded || !upper.isIncluded || excluded.contains(lower.value)
    }

    /// Whatever is in here is in the other too. False where that is not known.
    func isSubset(of other: Domain) -> Bool {
        if let values { return values.filter(contains).allSatisfy(other.contains) }
        guard other.values == nil, !other.excluded.contains(where: contains) else { return false }
        if let bound = other.lower {
            guard let lower, lower == bound || lower.isTighter(than: bound, isLower: true) else { return false }
        }
        if let bound = other.upper {
            guard let upper, upper == bound || upper.isTighter(than: bound, isLower: false) else { return false }
        }
        return true
    }

    /// It may grow without leaving this.
    var isOpenAbove: Bool { values == nil && upper == nil }

    private func isWithinBounds(_ value: Constant) -> Bool {
        if let lower {
            guard let isBelow = value.isLess(than: lower.value) else { return false }
            if isBelow || (!lower.isIncluded && value == lower.value) { return false }
        }
        if let upper {
            guard let isAbove = upper.value.isLess(than: value) else { return false }
            if isAbove || (!upper.isIncluded && value == upper.value) { return false }
        }
        return true
    }
}

extension Domain.Bound {
    /// Leaves less over.
    fileprivate func isTighter(than other: Self, isLower: Bool) -> Bool {
        if value == other.value { return !isIncluded && other.isIncluded }
        return (isLower ? other.value.isLess(than: value) : value.isLess(than: other.value)) ?? false
    }
}
