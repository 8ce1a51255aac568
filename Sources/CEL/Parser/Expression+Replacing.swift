extension Expression {
    /// The tree with other expressions in place of some of its names.
    ///
    /// - Parameter replacement: what stands for a name instead, given whether a macro around it binds any names, in which
    ///   those of the replacement could get caught; nil for the name itself. It is not asked about names that are bound.
    package func replacingNames(_ replacement: (_ name: String, _ isBelowMacro: Bool) -> Expression?) -> Expression {
        replacingNames(bound: [], replacement)
    }

    private func replacingNames(bound: Set<String>, _ replacement: (String, Bool) -> Expression?) -> Expression {
        func inner(_ expression: Expression, binding names: [String?] = []) -> Expression {
            expression.replacingNames(bound: bound.union(names.compactMap(\.self)), replacement)
        }
        let replaced: Kind =
            switch kind {
            case .literal: kind
            case .identifier(let name, _):
                bound.contains(name) ? kind : replacement(name, !bound.isEmpty)?.kind ?? kind
            case .select(let operand, let field, let isOptional):
                .select(inner(operand), field: field, isOptional: isOptional)
            case .presence(let operand, let field): .presence(inner(operand), field: field)
            case .index(let operand, let index, let isOptional):
                .index(inner(operand), inner(index), isOptional: isOptional)
            case .call(let function, let target, let arguments):
                .call(function: function, target: target.map { inner($0) }, arguments: arguments.map { inner($0) })
            case .and(let operands): .and(operands.map { inner($0) })
            case .or(let operands): .or(operands.map { inner($0) })
            case .conditional(let condition, let then, let otherwise):
                .conditional(inner(condition), then: inner(then), otherwise: inner(otherwise))
            case .list(let elements):
                .list(elements.map { Element(value: inner($0.value), isOptional: $0.isOptional) })
            case .map(let entries):
                .map(entries.map { Entry(key: inner($0.key), value: inner($0.value), isOptional: $0.isOptional) })
            case .message(let name, let fields):
                .message(
                    name: name,
                    fields: fields.map { Field(name: $0.name, value: inner($0.value), isOptional: $0.isOptional) })
            case .iteration(var iteration):
                {
                    let names = [iteration.first, iteration.second]
                    iteration.range = inner(iteration.range)
                    iteration.predicate = iteration.predicate.map { inner($0, binding: names) }
                    iteration.transform = iteration.transform.map { inner($0, binding: names) }
                    return .iteration(iteration)
                }()
            case .bind(let name, let value, let body):
                .bind(name: name, value: inner(value), body: inner(body, binding: [name]))
            }
        return Expression(replaced, at: range)
    }
}
