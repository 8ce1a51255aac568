/// Estimates the most steps that evaluating an expression can take, as the interpreter counts them, when no variable and no
/// field holds more than was declared of it.
///
/// What a function of the host gives back is taken to be as large as what it was given.
struct CostEstimator {
    private let environment: Environment
    /// How much macros' variables hold, by slot.
    private var locals: [Int: Extent] = [:]

    init(_ environment: Environment) {
        self.environment = environment
    }

    /// `Int.max` for what is beyond counting.
    func steps(of expression: Checked) -> Int {
        var estimator = self
        return estimator.estimate(expression).steps
    }

    private struct Estimate {
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
        let extent: Extent =
            switch node.kind {
            case .field(_, let type, let slot, _): Extent(node.type, size: type.fields[slot].maximumSize)
            case .index: parts[0].extent.element
            case .presence: Extent()
            default: Extent(node.type)
            }
        return Estimate(steps: total(parts), extent: extent)
    }

    private mutating func choice(_ node: Checked) -> Estimate {
        let parts = estimates(of: node.kind.children)
        guard case .conditional = node.kind else { return Estimate(steps: total(parts), extent: Extent()) }
        return Estimate(steps: total(parts), extent: parts[1].extent.union(parts[2].extent))
    }

    private mutating func collection(_ node: Checked) -> Estimate {
        let parts = estimates(of: node.kind.children)
        let isMap = if case .map = node.kind { true } else { false }
        let values = isMap ? parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] } : parts
        let element = values.reduce(Extent()) { $0.union($1.extent) }
        return Estimate(steps: total(parts), extent: Extent(size: values.count, of: element))
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
        locals[iteration.first] = iteration.second == nil ? range.extent.element : Extent()
        if let second = iteration.second { locals[second] = range.extent.element }
        let predicate = iteration.predicate.map { estimate($0) }
        let transform = iteration.transform.map { estimate($0) }
        let round = total([predicate, transform].compactMap { $0 })
        let element = transform?.extent ?? range.extent.element
        return Estimate(
            steps: range.steps.adding(1).adding(range.extent.size.multiplied(by: round)),
            extent: iteration.macro.isCollecting ? Extent(size: range.extent.size, of: element) : Extent())
    }

    // MARK: - Operators and functions

    /// Functions that do not look at what is in a list or a map.
    private static let shallow: Set<String> = [
        "size", "type", "dyn", "optional.of", "optional.none", "value", "hasValue", "or", "orValue",
    ]

    private mutating func call(_ node: Checked) -> Estimate {
        let operands = node.kind.children
        let parts = estimates(of: operands)
        let extents = parts.map(\.extent)
        let name: String =
            switch node.kind {
            case .operation(let name, _), .call(let name, _, _): name
            default: ""
            }
        var work = 0
        for (operand, extent) in zip(operands, extents) where !Self.shallow.contains(name) || operand.type.isText {
            work = work.adding(extent.whole)
        }
        let result = result(of: name, extents, node.type)
        return Estimate(steps: total(parts).adding(work).adding(result.size), extent: result)
    }

    private func result(of name: String, _ operands: [Extent], _ type: Type) -> Extent {
        let sizes = operands.reduce(0) { $0.adding($1.size) }
        switch type.unwrappingOptional.content.withoutNull {
        case .string, .bytes: return Extent(size: textSize(of: name, operands, sizes))
        case .list where name == "split":
            return Extent(size: sizes.multiplied(by: 64), of: Extent(size: 1))
        case .list, .map, .dyn:
            let element = operands.reduce(Extent()) { $0.union($1.element) }
            return Extent(size: max(sizes, Extent.assumedElements), of: element)
        default: return Extent()
        }
    }

    private func textSize(of name: String, _ operands: [Extent], _ sizes: Int) -> Int {
        let limit = Extent.text(Value.largestText)
        switch name {
        case "replace": return min(limit, sizes.multiplied(by: 64).multiplied(by: operands.last?.size ?? 1))
        case "join", "format":
            return min(limit, operands.reduce(sizes) { $0.adding($1.size.multiplied(by: $1.element.size)) })
        // Quoting and encoding make longer what they are given.
        default: return min(limit, max(sizes.multiplied(by: 6), Extent.assumedText))
        }
    }
}

extension Type {
    fileprivate var isText: Bool {
        switch unwrappingOptional.content.withoutNull {
        case .string, .bytes: true
        default: false
        }
    }
}

extension Iteration.Macro {
    /// Its result holds something for each element.
    fileprivate var isCollecting: Bool {
        switch self {
        case .all, .exists, .existsOne: false
        case .filter, .map, .transformList, .transformMap, .transformMapEntry: true
        }
    }
}
