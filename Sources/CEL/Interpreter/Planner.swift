/// Turns a checked expression into nodes: constant parts are evaluated once, common shapes get a node of their own.
struct Planner {
    private let options: Environment.Options
    /// The slot of the variable that is the clock.
    let clock: Int?
    private let source: [UInt8]
    private let isStrict: Bool
    /// Every node but literals writes down what comes of it.
    private let isTracing: Bool
    /// Constants that their function refuses, such as `duration("3d")`.
    private(set) var issues: [CompilationIssue] = []

    /// How large the patterns are that were read once, for what matching them costs.
    private(set) var patternSizes: [String: Int] = [:]
    /// The steps that evaluating one constant part may take before it is left for later.
    private static let constantBudget = 10_000
    /// The steps that may still go into constant parts.
    private var stepsLeft = 100_000
    /// How many constant arguments may still be prepared: patterns take up to half a megabyte.
    private var preparationsLeft = 200

    init(_ environment: Environment, source: String, isStrict: Bool, isTracing: Bool) {
        options = environment.options
        clock = environment.options.clock.flatMap { environment.slot(of: $0) }
        self.source = Array(source.utf8)
        self.isStrict = isStrict
        self.isTracing = isTracing
    }

    /// Only tells kinds apart: what a case binds would be on the stack for every level of the tree.
    mutating func plan(_ checked: Checked) -> Planned {
        switch checked.kind {
        case .constant, .variable, .local, .failure: leaf(checked)
        case .field: field(checked)
        case .select, .presence, .index: access(checked)
        case .operation: operation(checked)
        case .call: call(checked)
        case .and, .or, .conditional: logic(checked)
        case .list, .map: collection(checked)
        case .iteration: loop(checked)
        case .bind: bind(checked)
        }
    }

    mutating func children(of checked: Checked) -> [Planned] {
        var planned: [Planned] = []
        for child in checked.kind.children {
            planned.append(plan(child))
            if isTracing { planned[planned.endIndex - 1].trace(child) }
        }
        return planned
    }

    private func leaf(_ checked: Checked) -> Planned {
        switch checked.kind {
        case .constant(let value): constant(value)
        case .variable(let slot): variable(slot)
        case .local(let slot): Planned(node: LocalNode(slot: slot), cost: 1)
        case .failure(let error): Planned(node: ConstantNode(.error(error)), cost: 1)
        default: unexpected(checked)
        }
    }

    private func variable(_ slot: Int) -> Planned {
        guard let clock, slot == clock else { return Planned(node: VariableNode(slot: slot), cost: 1) }
        let motion = Motion(node: VariableNode(slot: slot), clock: clock)
        return Planned(node: ClockNode(slot: slot), cost: 1, motion: motion)
    }

    /// For a function that was given another kind of node than its own, which does not happen.
    func unexpected(_ checked: Checked) -> Planned {
        Planned(node: ConstantNode(site(checked).error(.invalidArgument, "this has no meaning here")), cost: 1)
    }

    private mutating func access(_ checked: Checked) -> Planned {
        let planned = children(of: checked)
        let site = site(checked, checked.kind.children.first)
        return make(planned) { nodes in
            switch checked.kind {
            case .presence(_, let name): PresenceNode(nodes[0], name: name, site)
            case .index(_, _, let isOptional): IndexNode(nodes[0], nodes[1], isOptional: isOptional, site)
            case .select(_, let name, let isOptional):
                SelectNode(nodes[0], name: name, isOptional: isOptional, site)
            default: nodes[0]
            }
        }
    }

    private mutating func logic(_ checked: Checked) -> Planned {
        let planned = children(of: checked)
        let site = site(checked)
        return make(planned) { nodes in
            switch checked.kind {
            case .and: LogicNode(nodes, decisive: false, site)
            case .or: LogicNode(nodes, decisive: true, site)
            default: ConditionalNode(nodes[0], nodes[1], nodes[2], site)
            }
        }
    }

    private mutating func collection(_ checked: Checked) -> Planned {
        let planned = children(of: checked)
        let site = site(checked)
        return make(planned) { nodes in
            switch checked.kind {
            case .list(let elements): ListNode(zip(nodes, elements).map { ($0, $1.isOptional) }, site)
            case .map(let entries):
                MapNode(entries.indices.map { (nodes[2 * $0], nodes[2 * $0 + 1], entries[$0].isOptional) }, site)
            default: nodes[0]
            }
        }
    }

    private mutating func bind(_ checked: Checked) -> Planned {
        guard case .bind(let slot, _, _) = checked.kind else { return unexpected(checked) }
        return make(children(of: checked), isFoldable: false) { BindNode(slot: slot, value: $0[0], body: $0[1]) }
    }

    // MARK: Building

    private func constant(_ value: Value) -> Planned {
        Planned(node: ConstantNode(value), cost: 1, constant: value)
    }

    /// Builds a node of planned parts, and evaluates it when all of them are constant.
    mutating func make(_ planned: [Planned], isFoldable: Bool = true, _ build: ([any Node]) -> any Node)
        -> Planned
    {
        let node = build(planned.map(\.node))
        if isFoldable, planned.allSatisfy({ $0.constant != nil }) {
            let value = evaluate(node)
            if !value.isError { return constant(value) }
        }
        return Planned(node: node, cost: planned.reduce(1) { $0 + $1.cost })
    }

    private mutating func evaluate(_ node: any Node) -> Value {
        let steps = min(Planner.constantBudget, stepsLeft)
        var frame = Frame(activation: Activation(Environment.empty), size: 0, budget: steps)
        let value = node.evaluate(&frame)
        stepsLeft -= steps - max(0, frame.budget.remaining)
        return value
    }

    func site(_ node: Checked, _ operand: Checked? = nil) -> Site {
        Site(range: node.range, absence: options.absence, operand: spelling(of: operand ?? node))
    }

    /// How messages name a value: as it is written, when that is short.
    private func spelling(of node: Checked) -> String {
        guard node.range.count <= 40, node.range.upperBound <= source.count else { return "this value" }
        return String(decoding: source[node.range], as: UTF8.self)
    }

    // MARK: Calls

    private mutating func call(_ checked: Checked) -> Planned {
        call(checked, children(of: checked))
    }

    private mutating func call(_ checked: Checked, _ planned: [Planned]) -> Planned {
        guard case .call(let name, let overloads, let operands) = checked.kind else { return unexpected(checked) }
        let site = site(checked, operands.first)
        if name == "or" || name == "orValue", planned.count == 2 {
            return make(planned) { FallbackNode($0[0], $0[1], unwraps: name == "orValue", site) }
        }
        if let prepared = prepare(name, planned, site) { return prepared }
        let call = Call(name: name, overloads: overloads, site: site)
        let isPure = overloads.allSatisfy(\.isPure)
        let result = make(planned, isFoldable: isPure) { nodes in
            switch nodes.count {
            case 1: UnaryCallNode(call, nodes[0])
            case 2: BinaryCallNode(call, nodes[0], nodes[1])
            default: GeneralCallNode(call, nodes)
            }
        }
        if Library.readers.contains(name), planned.count == 1, case .constant(.string) = operands[0].kind,
            result.constant == nil, isPure, case .error(let error) = evaluate(result.node)
        {
            report(error, operands[0].range)
        }
        return result
    }

    /// A call whose second argument is a constant that is worth reading once, such as a pattern or a time zone.
    private mutating func prepare(_ name: String, _ operands: [Planned], _ site: Site) -> Planned? {
        guard operands.count == 2, let constant = operands[1].constant, let prepare = Library.preparations[name],
            preparationsLeft > 0
        else { return nil }
        preparationsLeft -= 1
        do {
            guard let prepared = try prepare(constant) else { return nil }
            if prepared.size > 0, case .string(let pattern) = constant { patternSizes[pattern] = prepared.size }
            let call = Call(name: name, overloads: [prepared.overload], site: site)
            return make([operands[0]]) { UnaryCallNode(call, $0[0]) }
        } catch {
            report(error, site.range)
            return Planned(node: ConstantNode(site.error(error)), cost: 1)
        }
    }

    private mutating func report(_ error: EvaluationError, _ range: Range<Int>) {
        if isStrict, error.code != .budgetExceeded { issues.append(.error(error.message, range)) }
    }

    // MARK: Macros

    private mutating func loop(_ checked: Checked) -> Planned {
        loop(checked, children(of: checked))
    }

    private func loop(_ checked: Checked, _ parts: [Planned]) -> Planned {
        guard case .iteration(let iteration) = checked.kind else { return unexpected(checked) }
        let range = parts[0]
        let predicate = iteration.predicate == nil ? nil : parts[1]
        let transform = iteration.transform == nil ? nil : parts[parts.count - 1]
        let site = site(checked, iteration.range)
        let cost = 1 + (predicate?.cost ?? 0) + (transform?.cost ?? 0)
        let loop = Loop(range: range.node, first: iteration.first, second: iteration.second, cost: cost, site: site)
        let test = predicate.map { Predicate(node: $0.node, site: site) } ?? .always(site)
        let node: any Node =
            switch iteration.macro {
            case .all: QuantifierNode(loop, test, decisive: false)
            case .exists: QuantifierNode(loop, test, decisive: true)
            case .existsOne: ExistsOneNode(loop, test)
            case .filter: CollectNode(loop, test, .element)
            case .map, .transformList: CollectNode(loop, test, transform.map { .list($0.node) } ?? .element)
            case .transformMap: CollectNode(loop, test, transform.map { .map($0.node) } ?? .element)
            case .transformMapEntry: CollectNode(loop, test, transform.map { .entries($0.node) } ?? .element)
            }
        return Planned(node: node, cost: range.cost + 1)
    }
}

extension Environment {
    fileprivate static let empty = Environment()
}

extension Overload {
    fileprivate var isPure: Bool {
        if case .host = implementation { false } else { true }
    }
}

extension Predicate {
    /// Of a macro without a condition.
    fileprivate static func always(_ site: Site) -> Predicate {
        Predicate(node: ConstantNode(.bool(true)), site: site)
    }
}
