// Fields and operators: the shapes that conditions are mostly made of, and how their values move with the clock.
extension Planner {
    mutating func field(_ checked: Checked) -> Planned {
        guard case .field(let operand, _, _, _) = checked.kind else { return unexpected(checked) }
        return field(checked, of: operand, children(of: checked)[0])
    }

    private mutating func field(_ checked: Checked, of operand: Checked, _ planned: Planned) -> Planned {
        guard case .field(_, let type, let slot, let isOptional) = checked.kind else { return unexpected(checked) }
        let site = site(checked, operand)
        let field = type.fields[slot]
        if isOptional || field.compute != nil || operand.type.isOptional {
            var result = make([planned], isFoldable: false) {
                SelectNode($0[0], name: field.name, isOptional: isOptional, site)
            }
            if let computation = field.compute, computation.isElapsed, let clock, !isOptional, !operand.type.isOptional
            {
                let node = ElapsedFieldNode(planned.node, type, field, computation, site)
                result.motion = Motion(node: node, clock: clock)
            }
            return result
        }
        if case .variable(let variable) = operand.kind {
            return Planned(node: VariableFieldNode(variable: variable, type, slot: slot, site), cost: 2)
        }
        return make([planned]) { FieldNode($0[0], type, slot: slot, site) }
    }

    // MARK: Operators

    mutating func operation(_ checked: Checked) -> Planned {
        operation(checked, children(of: checked))
    }

    private mutating func operation(_ checked: Checked, _ planned: [Planned]) -> Planned {
        guard case .operation(let name, let operands) = checked.kind else { return unexpected(checked) }
        let site = site(checked, operands.first { $0.type.isNullable } ?? operands[0])
        switch name {
        case Operator.not: return make(planned) { NotNode($0[0], site) }
        case Operator.negate: return make(planned) { NegateNode($0[0], site) }
        case Operator.equals, Operator.notEquals: return equality(planned, wanted: name == Operator.equals, site)
        case Operator.less: return order(planned, .less, site)
        case Operator.lessOrEqual: return order(planned, [.less, .equal], site)
        case Operator.greater: return order(planned, .greater, site)
        case Operator.greaterOrEqual: return order(planned, [.greater, .equal], site)
        default:
            guard let body = Planner.bodies[name] else { return unexpected(checked) }
            var result = make(planned) { BinaryOperatorNode($0[0], $0[1], body, site) }
            if [Operator.add, Operator.subtract].contains(name) {
                result.motion = motion(planned, reversesRight: name == Operator.subtract) {
                    BinaryOperatorNode($0, $1, body, site)
                }
            }
            return result
        }
    }

    /// How a result moves of whose two operands one does; nil where none or both do.
    private func motion(
        _ operands: [Planned], reversesRight: Bool, _ build: (any Node, any Node) -> any Node
    ) -> Motion? {
        switch (operands[0].motion, operands[1].motion) {
        case (let motion?, nil): return motion.carried(by: build(motion.node, operands[1].node))
        case (nil, let motion?):
            return motion.carried(by: build(operands[0].node, motion.node), reversed: reversesRight)
        default: return nil
        }
    }

    private static let bodies: [String: Overload.Binary] = [
        Operator.add: Arithmetic.add, Operator.subtract: Arithmetic.subtract, Operator.multiply: Arithmetic.multiply,
        Operator.divide: Arithmetic.divide, Operator.modulo: Arithmetic.modulo, Operator.isIn: Membership.contains,
    ]

    private mutating func equality(_ planned: [Planned], wanted: Bool, _ site: Site) -> Planned {
        for (operand, other) in [(planned[0], planned[1]), (planned[1], planned[0])] where operand.constant == nil {
            guard case .string(let text)? = other.constant else { continue }
            return Planned(node: TextEqualityNode(operand.node, text, wanted: wanted), cost: operand.cost + 2)
        }
        return make(planned) { EqualityNode($0[0], $0[1], wanted: wanted, site) }
    }

    private mutating func order(_ planned: [Planned], _ accepted: Orders, _ site: Site) -> Planned {
        switch (planned[0].motion, planned[1].motion) {
        case (let motion?, nil):
            return make(planned) { OrderNode(motion.node, $0[1], accepted: accepted, motion: motion, site) }
        case (nil, let motion?):
            let reversed = motion.carried(by: motion.node, reversed: true)
            return make(planned) { OrderNode($0[0], motion.node, accepted: accepted, motion: reversed, site) }
        default:
            return make(planned) { OrderNode($0[0], $0[1], accepted: accepted, site) }
        }
    }
}

extension Type {
    fileprivate var isOptional: Bool {
        if case .optional = withoutNull { true } else { false }
    }
}
