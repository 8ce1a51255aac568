// What a condition makes sure of for what stands behind it: `a.b != null && has(a.b.c)` asks for `c` only where `b` is.

extension Expression {
    /// The parts, as text, that are there when this condition came out as `outcome`.
    func presentParts(when outcome: Bool) -> [String] {
        switch kind {
        case .and(let operands) where outcome: operands.flatMap { $0.presentParts(when: true) }
        case .or(let operands) where !outcome: operands.flatMap { $0.presentParts(when: false) }
        case .presence(let operand, let field) where outcome:
            ["\(operand.text).\(field)"]
        case .call(Operator.not, nil, let operands): operands[0].presentParts(when: !outcome)
        case .call(let name, nil, let operands) where name == (outcome ? Operator.notEquals : Operator.equals):
            operands[1].isNull ? [operands[0].text] : operands[0].isNull ? [operands[1].text] : []
        default: []
        }
    }

    private var isNull: Bool {
        if case .literal(.null) = kind { true } else { false }
    }
}

extension Checker {
    /// `has(a.b.c)` asks only about `c`: where `b` is null, or is itself not there, it has no answer.
    mutating func warnAboutUnguarded(_ operand: Expression, _ checked: Checked, field: String, _ range: Range<Int>) {
        guard isStrict, environment.options.absence, case .select = operand.kind else { return }
        let isNullable = type(of: checked) != type(of: checked).withoutNull
        let isSelected = if case .select = checked.kind { true } else { false }
        guard isNullable || isSelected else { return }
        let path = operand.text
        guard !present.contains(path) else { return }
        let question = isNullable ? "\(path) != null" : "has(\(path))"
        warn("has() asks only whether '\(field)' is there; ask first for what it is in: \(question) && …", range)
    }
}
