// Macros that go through a list or a map (langdef, "Macros").

/// What every such macro has: the list, where its variables go, and what one round costs.
struct Loop: Sendable {
    let range: any Node
    let first: Int
    let second: Int?
    /// Steps that one round takes.
    let cost: Int
    let site: Site

    /// Calls `body` for every element with the variables set, until it returns false. Returns an error when there is
    /// nothing to go through or the budget is spent.
    func forEach(_ frame: inout Frame, _ body: (inout Frame) -> Bool) -> EvaluationError? {
        switch range.evaluate(&frame) {
        case .list(let list):
            for (index, element) in list.enumerated() {
                guard frame.budget.spend(cost) else { return .budgetExceeded }
                set(.int(Int64(index)), element, whole: element, &frame)
                guard body(&frame) else { break }
            }
        case .map(let map):
            for entry in map.entries {
                guard frame.budget.spend(cost) else { return .budgetExceeded }
                set(entry.key, entry.value, whole: entry.key, &frame)
                guard body(&frame) else { break }
            }
        case .error(let error): return error
        case .null where site.absence: return EvaluationError(.absent, "\(site.operand) is null", at: site.range)
        case let other:
            return EvaluationError(.noSuchOverload, "a \(other.typeName) has no elements", at: site.range)
        }
        return frame.budget.isExhausted ? .budgetExceeded : nil
    }

    private func set(_ key: Value, _ value: Value, whole: Value, _ frame: inout Frame) {
        if let second {
            frame.locals[first] = key
            frame.locals[second] = value
        } else {
            frame.locals[first] = whole
        }
    }
}

/// Whether a predicate holds for an element. With absence on, what is absent does not hold.
private enum Verdict {
    case yes, no
    case failed(EvaluationError)
}

/// A predicate of a macro.
struct Predicate: Sendable {
    let node: any Node
    let site: Site

    fileprivate func verdict(_ frame: inout Frame) -> Verdict {
        let value = node.evaluate(&frame)
        if case .bool(let holds) = value { return holds ? .yes : .no }
        let error = site.conditionError(value)
        return site.absence && error.code == .absent ? .no : .failed(error)
    }
}

/// `all` and `exists`: one element that decides wins over errors of the others.
final class QuantifierNode: Node {
    private let loop: Loop
    private let predicate: Predicate
    /// The verdict on one element that settles the matter: false for `all`, true for `exists`.
    private let decisive: Bool

    init(_ loop: Loop, _ predicate: Predicate, decisive: Bool) {
        self.loop = loop
        self.predicate = predicate
        self.decisive = decisive
    }

    func evaluate(_ frame: inout Frame) -> Value {
        var failure: EvaluationError?
        var isDecided = false
        let stopped = loop.forEach(&frame) { frame in
            switch predicate.verdict(&frame) {
            case .yes: isDecided = decisive
            case .no: isDecided = !decisive
            case .failed(let error): failure = merged(failure, error)
            }
            return !isDecided
        }
        if let stopped { return .error(stopped) }
        if isDecided { return .bool(decisive) }
        if let failure { return .error(failure) }
        return .bool(!decisive)
    }
}

/// `exists_one`: every element is looked at, and an error of any is the result.
final class ExistsOneNode: Node {
    private let loop: Loop
    private let predicate: Predicate

    init(_ loop: Loop, _ predicate: Predicate) {
        self.loop = loop
        self.predicate = predicate
    }

    func evaluate(_ frame: inout Frame) -> Value {
        var count = 0
        var failure: EvaluationError?
        let stopped = loop.forEach(&frame) { frame in
            switch predicate.verdict(&frame) {
            case .yes: count += 1
            case .no: break
            case .failed(let error): failure = error
            }
            return failure == nil
        }
        if let error = stopped ?? failure { return .error(error) }
        return .bool(count == 1)
    }
}

/// `filter`, `map` and the transforms: collects what becomes of the elements for which a predicate holds.
final class CollectNode: Node {
    enum Result: Sendable {
        /// The element itself, or the key of a map.
        case element
        case list(any Node)
        case map(any Node)
        /// The node gives maps, whose entries are put together.
        case entries(any Node)
    }

    private let loop: Loop
    private let predicate: Predicate?
    private let result: Result

    init(_ loop: Loop, _ predicate: Predicate?, _ result: Result) {
        self.loop = loop
        self.predicate = predicate
        self.result = result
    }

    func evaluate(_ frame: inout Frame) -> Value {
        var list: [Value] = []
        var entries: [(key: Value, value: Value)] = []
        var failure: EvaluationError?
        let stopped = loop.forEach(&frame) { frame in
            switch predicate?.verdict(&frame) ?? .yes {
            case .yes: failure = collect(&frame, &list, &entries)
            case .no: break
            case .failed(let error): failure = error
            }
            return failure == nil
        }
        if let error = stopped ?? failure { return .error(error) }
        switch result {
        case .element, .list: return .list(list)
        case .map, .entries: return loop.site.map(entries, &frame.budget)
        }
    }

    private func collect(
        _ frame: inout Frame, _ list: inout [Value], _ entries: inout [(key: Value, value: Value)]
    ) -> EvaluationError? {
        let node: any Node
        switch result {
        case .element:
            list.append(frame.locals[loop.first])
            return nil
        case .list(let transform), .map(let transform), .entries(let transform): node = transform
        }
        let value = node.evaluate(&frame)
        if case .error(let error) = value { return error }
        switch result {
        case .element, .list: list.append(value)
        case .map: entries.append((frame.locals[loop.first], value))
        case .entries:
            guard case .map(let map) = value else {
                return EvaluationError(
                    .noSuchOverload, "transformMapEntry() needs a map, not a \(value.typeName)", at: loop.site.range)
            }
            guard frame.budget.spend(map.count) else { return .budgetExceeded }
            entries += map.entries
        }
        return nil
    }
}
