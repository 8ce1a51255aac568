/// Estimates the most steps that evaluating an expression can take, as the interpreter counts them, when no variable and no
/// field holds more than was declared of it.
///
/// What a function of the host gives back is taken to be as large as what it was given.
struct CostEstimator {
    private let environment: Environment
    /// `Regex.size` of patterns that are read once; all others are read again for every match.
    let patternSizes: [String: Int]
    /// How much macros' variables hold, by slot.
    private var locals: [Int: Extent] = [:]

    init(_ environment: Environment, patternSizes: [String: Int]) {
        self.environment = environment
        self.patternSizes = patternSizes
    }

    /// `Int.max` for what is beyond counting.
    func steps(of expression: Checked) -> Int {
        var estimator = self
        return estimator.estimate(expression).steps
    }

    struct Estimate {
        var steps: Int
        var extent: Extent
    }

    /// Only tells kinds apart: what a case binds would be on the stack for every level of the tree.
    private mutating func estimate(_ node: Checked) -> Estimate {
        switch node.kind {
        case .constant, .variable, .local, .failure: leaf(node)
        case .field, .select, .presence, .index: access(node)
        case .operation, .call: call(node)
        case .and, .or, .conditional: choice(node)
        case .list, .map: collection(node)
        case .iteration: loop(node)
        case .bind: bind(node)
        }
    }

    private mutating func estimates(of children: [Checked]) -> [Estimate] {
        var estimates: [Estimate] = []
        for child in children { estimates.append(estimate(child)) }
        return estimates
    }

    private func total(_ parts: [Estimate]) -> Int {
        parts.reduce(1) { $0.adding($1.steps) }
    }

    private func leaf(_ node: Checked) -> Estimate {
        let extent: Extent =
            switch node.kind {
            case .constant(let value): Extent(of: value)
            case .variable(let slot): Extent(node.type, size: environment.variables[slot].maximumSize)
            case .local(let slot): locals[slot] ?? Extent(node.type)
            default: Extent()
            }
        return Estimate(steps: 1, extent: extent)
    }

    private mutating func access(_ node: Checked) -> Estimate {
        let parts = estimates(of: node.kind.children)
        let assumed = node.type.isUnknown ? Extent(.dyn) : Extent()
        switch node.kind {
        case .field(_, let type, let slot, _):
            return Estimate(steps: total(parts), extent: Extent(node.type, size: type.fields[slot].maximumSize))
        case .index:
            // Looking up a text reads it.
            return Estimate(
                steps: total(parts).adding(parts[1].extent.size), extent: parts[0].extent.element.union(assumed))
        case .presence: return Estimate(steps: total(parts), extent: Extent())
        default: return Estimate(steps: total(parts), extent: parts[0].extent.element.union(assumed))
        }
    }

    private mutating func choice(_ node: Checked) -> Estimate {
        let parts = estimates(of: node.kind.children)
        guard case .conditional = node.kind else { return Estimate(steps: total(parts), extent: Extent()) }
        return Estimate(steps: total(parts), extent: parts[1].extent.union(parts[2].extent))
    }

    private mutating func collection(_ node: Checked) -> Estimate {
        let parts = estimates(of: node.kind.children)
        guard case .map = node.kind else {
            let element = parts.reduce(Extent()) { $0.union($1.extent) }
            return Estimate(steps: total(parts), extent: Extent(size: parts.count, of: element))
        }
        var (key, work, value) = (0, 0, Extent())
        for (index, part) in parts.enumerated() {
            if index % 2 == 1 {
                value = value.union(part.extent)
            } else {
                key = max(key, part.extent.size)
                work = work.adding(part.extent.size)
            }
        }
        return Estimate(
            steps: total(parts).adding(work), extent: Extent(size: parts.count / 2, key: key, of: value))
    }

    private mutating func bind(_ node: Checked) -> Estimate {
        guard case .bind(let slot, let value, let body) = node.kind else { return leaf(node) }
        let bound = estimate(value)
        locals[slot] = bound.extent
        let result = estimate(body)
        return Estimate(steps: total([bound, result]), extent: result.extent)
    }

    private mutating func loop(_ node: Checked) -> Estimate {
        guard case .iteration(let iteration) = node.kind else { return leaf(node) }
        let range = estimate(iteration.range)
        let key = Extent(size: range.extent.key)
        let element = range.extent.element.union(iteration.range.type.hasUnknownElements ? Extent(.dyn) : Extent())
        locals[iteration.first] = iteration.second == nil ? element.union(key) : key
        if let second = iteration.second { locals[second] = element }
        let predicate = iteration.predicate.map { estimate($0) }
        let transform = iteration.transform.map { estimate($0) }
        let result = result(of: iteration.macro, over: range.extent, transform?.extent)
        var round = total([predicate, transform].compactMap { $0 })
        // Entries are put together, and keys are read.
        if iteration.macro == .transformMapEntry { round = round.adding(transform?.extent.size ?? 0) }
        let work = result.size.multiplied(by: result.key)
        return Estimate(
            steps: range.steps.adding(1).adding(range.extent.size.multiplied(by: round)).adding(work), extent: result)
    }

    private func result(of macro: Iteration.Macro, over range: Extent, _ transform: Extent?) -> Extent {
        switch macro {
        case .all, .exists, .existsOne: Extent()
        case .filter: Extent(size: range.size, of: range.element.union(Extent(size: range.key)))
        case .map, .transformList: Extent(size: range.size, of: transform ?? Extent())
        case .transformMap: Extent(size: range.size, key: range.key, of: transform ?? Extent())
        case .transformMapEntry:
            Extent(
                size: range.size.multiplied(by: transform?.size ?? 0), key: transform?.key ?? 0,
                of: transform?.element ?? Extent())
        }
    }

    private mutating func call(_ node: Checked) -> Estimate {
        let parts = estimates(of: node.kind.children)
        let work = work(of: node, parts.map(\.extent))
        return Estimate(steps: total(parts).adding(work.steps), extent: work.extent)
    }
}

extension Type {
    /// A list or a map of what is only known when it is read.
    fileprivate var hasUnknownElements: Bool {
        switch unwrappingOptional.content.withoutNull {
        case .list(let element), .map(_, let element): element.isUnknown
        default: isUnknown
        }
    }

    /// Only known when it is read.
    var isUnknown: Bool {
        switch unwrappingOptional.content.withoutNull {
        case .dyn, .error, .parameter: true
        default: false
        }
    }
}
