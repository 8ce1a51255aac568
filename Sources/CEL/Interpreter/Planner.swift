/// Turns a checked expression into nodes: constant parts are evaluated once, common shapes get a node of their own.
struct Planner {
    private let options: Environment.Options
    private let source: [UInt8]
    private let isStrict: Bool
    /// Constants that their function refuses, such as `duration("3d")`.
    private(set) var issues: [CompilationIssue] = []

    /// The steps that evaluating one constant part may take before it is left for later.
    private static let constantBudget = 10_000

    init(_ environment: Environment, source: String, isStrict: Bool) {
        options = environment.options
        self.source = Array(source.utf8)
        self.isStrict = isStrict
    }

    mutating func plan(_ checked: Checked) -> Planned {
        switch checked.kind {
        case .constant(let value): return constant(value)
        case .variable(let slot): return Planned(node: VariableNode(slot: slot), cost: 1)
        case .local(let slot): return Planned(node: LocalNode(slot: slot), cost: 1)
        case .failure(let error): return Planned(node: ConstantNode(.error(error)), cost: 1)
        case .field(let operand, let type, let slot, let isOptional):
            return field(checked, operand, type, slot, isOptional: isOptional)
        case .select(let operand, let name, let isOptional):
            let site = site(checked, operand)
            return make([operand]) { SelectNode($0[0], name: name, isOptional: isOptional, site) }
        case .presence(let operand, let name):
            let site = site(checked, operand)
            return make([operand]) { PresenceNode($0[0], name: name, site) }
        case .index(let operand, let index, let isOptional):
            let site = site(checked, operand)
            return make([operand, index]) { IndexNode($0[0], $0[1], isOptional: isOptional, site) }
        case .operation(let name, let operands): return operation(name, operands, checked)
        case .call(let name, let overloads, let operands): return call(name, overloads, operands, checked)
        case .and(let operands):
            let site = site(checked)
            return make(operands) { LogicNode($0, decisive: false, site) }
        case .or(let operands):
            let site = site(checked)
            return make(operands) { LogicNode($0, decisive: true, site) }
        case .conditional(let condition, let then, let otherwise):
            let site = site(condition)
            return make([condition, then, otherwise]) { ConditionalNode($0[0], $0[1], $0[2], site) }
        case .list(let elements):
            let site = site(checked)
            return make(elements.map(\.value)) { nodes in
                ListNode(zip(nodes, elements).map { ($0, $1.isOptional) }, site)
            }
        case .map(let entries): return map(entries, site(checked))
        case .iteration(let iteration): return loop(iteration, checked)
        case .bind(let slot, let value, let body):
            return make([value, body], isFoldable: false) { BindNode(slot: slot, value: $0[0], body: $0[1]) }
        }
    }

    // MARK: Building

    private func constant(_ value: Value) -> Planned {
        Planned(node: ConstantNode(value), cost: 1, constant: value)
    }

    /// Plans the parts, builds a node of them, and evaluates it when all parts are constant.
    private mutating func make(
        _ parts: [Checked], isFoldable: Bool = true, _ build: ([any Node]) -> any Node
    ) -> Planned {
        let planned = parts.map { plan($0) }
        return make(planned, isFoldable: isFoldable, build)
    }

    private func make(_ planned: [Planned], isFoldable: Bool = true, _ build: ([any Node]) -> any Node) -> Planned {
        let node = build(planned.map(\.node))
        if isFoldable, planned.allSatisfy({ $0.constant != nil }) {
            let value = Planner.evaluate(node)
            if !value.isError { return constant(value) }
        }
        return Planned(node: node, cost: planned.reduce(1) { $0 + $1.cost })
    }

    private static func evaluate(_ node: any Node) -> Value {
        var frame = Frame(activation: Activation(Environment.empty), size: 0, budget: constantBudget)
        return node.evaluate(&frame)
    }

    private func site(_ node: Checked, _ operand: Checked? = nil) -> Site {
        Site(range: node.range, absence: options.absence, operand: spelling(of: operand ?? node))
    }

    /// How messages name a value: as it is written, when that is short.
    private func spelling(of node: Checked) -> String {
        guard node.range.count <= 40, node.range.upperBound <= source.count else { return "this value" }
        return String(decoding: source[node.range], as: UTF8.self)
    }

    // MARK: Fields

    private mutating func field(
        _ checked: Checked, _ operand: Checked, _ type: ObjectType, _ slot: Int, isOptional: Bool
    ) -> Planned {
        let site = site(checked, operand)
        let field = type.fields[slot]
        if isOptional || field.compute != nil || operand.type.isOptional {
            return make([operand], isFoldable: false) {
                SelectNode($0[0], name: field.name, isOptional: isOptional, site)
            }
        }
        if case .variable(let variable) = operand.kind {
            return Planned(node: VariableFieldNode(variable: variable, type, slot: slot, site), cost: 2)
        }
        return make([operand]) { FieldNode($0[0], type, slot: slot, site) }
    }

    private mutating func map(
        _ entries: [(key: Checked, value: Checked, isOptional: Bool)], _ site: Site
    ) -> Planned {
        make(entries.flatMap { [$0.key, $0.value] }) { nodes in
            MapNode(
                entries.indices.map { (nodes[2 * $0], nodes[2 * $0 + 1], entries[$0].isOptional) }, site)
        }
    }

    // MARK: Operators

    private mutating func operation(_ name: String, _ operands: [Checked], _ checked: Checked) -> Planned {
        let site = site(checked, operands[0])
        switch name {
        case Operator.not: return make(operands) { NotNode($0[0], site) }
        case Operator.negate: return make(operands) { NegateNode($0[0], site) }
        case Operator.equals, Operator.notEquals: return equality(operands, wanted: name == Operator.equals, site)
        case Operator.less: return order(operands, .less, checked)
        case Operator.lessOrEqual: return order(operands, [.less, .equal], checked)
        case Operator.greater: return order(operands, .greater, checked)
        case Operator.greaterOrEqual: return order(operands, [.greater, .equal], checked)
        default:
            guard let body = Planner.bodies[name] else {
                return Planned(node: ConstantNode(site.error(.noSuchOverload, "there is no '\(name)'")), cost: 1)
            }
            return make(operands) { BinaryOperatorNode($0[0], $0[1], body, site) }
        }
    }

    private static let bodies: [String: Overload.Binary] = [
        Operator.add: Arithmetic.add, Operator.subtract: Arithmetic.subtract, Operator.multiply: Arithmetic.multiply,
        Operator.divide: Arithmetic.divide, Operator.modulo: Arithmetic.modulo, Operator.isIn: Membership.contains,
    ]

    private mutating func equality(_ operands: [Checked], wanted: Bool, _ site: Site) -> Planned {
        let planned = operands.map { plan($0) }
        for (operand, other) in [(planned[0], planned[1]), (planned[1], planned[0])] where operand.constant == nil {
            guard case .string(let text)? = other.constant else { continue }
            return Planned(node: TextEqualityNode(operand.node, text, wanted: wanted), cost: operand.cost + 2)
        }
        return make(planned) { EqualityNode($0[0], $0[1], wanted: wanted, site) }
    }

    private mutating func order(_ operands: [Checked], _ accepted: Orders, _ checked: Checked) -> Planned {
        let nullable = operands.first { $0.type.isNullable } ?? operands[0]
        let site = site(checked, nullable)
        return make(operands) { OrderNode($0[0], $0[1], accepted: accepted, site) }
    }

    // MARK: Calls

    private mutating func call(
        _ name: String, _ overloads: [Overload], _ operands: [Checked], _ checked: Checked
    ) -> Planned {
        let site = site(checked, operands.first)
        let planned = operands.map { plan($0) }
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
            result.constant == nil, isPure, case .error(let error) = Planner.evaluate(result.node)
        {
            report(error, operands[0].range)
        }
        return result
    }

    /// A call whose second argument is a constant that is worth reading once, such as a pattern or a time zone.
    private mutating func prepare(_ name: String, _ operands: [Planned], _ site: Site) -> Planned? {
        guard operands.count == 2, let constant = operands[1].constant, let prepare = Library.preparations[name] else {
            return nil
        }
        do {
            guard let (parameter, result, body) = try prepare(constant) else { return nil }
            let overload = Overload.unary(parameter, returns: result, body)
            let call = Call(name: name, overloads: [overload], site: site)
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

    private mutating func loop(_ iteration: CheckedIteration, _ checked: Checked) -> Planned {
        let range = plan(iteration.range)
        let predicate = iteration.predicate.map { plan($0) }
        let transform = iteration.transform.map { plan($0) }
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

extension Type {
    fileprivate var isOptional: Bool {
        if case .optional = withoutNull { true } else { false }
    }
}
