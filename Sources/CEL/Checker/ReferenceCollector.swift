/// Finds what an expression reads: each variable with the longest path of constant fields.
///
/// A value is followed through macros and `?:` to where it comes from, so that `order.items.all(i, i.price > 0)`
/// reads `order.items.price`. Of a value that may come from very many places only their first fields are told.
struct ReferenceCollector {
    private let environment: Environment
    private var references: Set<Reference> = []
    /// Where the macros' variables come from, by slot.
    private var locals: [Int: Set<Reference>] = [:]
    private var usedLocals: Set<Int> = []

    init(_ environment: Environment) {
        self.environment = environment
    }

    func references(of expression: Checked) -> Set<Reference> {
        var collector = self
        collector.read(expression)
        return collector.references
    }

    /// Counts everything that the value of `node` was made of as read.
    private mutating func read(_ node: Checked) {
        references.formUnion(origins(of: node))
    }

    /// From how many places a value comes at most: each `?:` on the way can double them.
    private static let limit = 100

    private func bounded(_ origins: Set<Reference>) -> Set<Reference> {
        guard origins.count > Self.limit else { return origins }
        return Set(origins.map { Reference($0.variable, Array($0.path.prefix(1))) })
    }

    /// Where the value of `node` comes from, not yet counted as read because a field of it may be all that is.
    private mutating func origins(of node: Checked) -> Set<Reference> {
        switch node.kind {
        case .constant, .failure: []
        case .variable, .local: named(node)
        case .field, .select: field(node)
        case .presence: presence(node)
        case .index: index(node)
        case .conditional: choice(node)
        case .bind: bind(node)
        case .iteration: iteration(node)
        case .call: call(node)
        case .operation, .and, .or, .list, .map: parts(node)
        }
    }

    private mutating func named(_ node: Checked) -> Set<Reference> {
        if case .variable(let slot) = node.kind { return [Reference(environment.variables[slot].name)] }
        guard case .local(let slot) = node.kind else { return [] }
        usedLocals.insert(slot)
        return locals[slot] ?? []
    }

    private mutating func field(_ node: Checked) -> Set<Reference> {
        if case .field(let operand, let type, let slot, _) = node.kind {
            readComputation(of: type.fields[slot])
            return extended(operand, by: type.fields[slot].name)
        }
        guard case .select(let operand, let name, _) = node.kind else { return [] }
        return extended(operand, by: name)
    }

    private mutating func presence(_ node: Checked) -> Set<Reference> {
        guard case .presence(let operand, let name) = node.kind else { return [] }
        if case .object(let type) = operand.type.unwrappingOptional.content, let slot = type.slot(of: name) {
            readComputation(of: type.fields[slot])
        }
        references.formUnion(extended(operand, by: name))
        return []
    }

    private mutating func choice(_ node: Checked) -> Set<Reference> {
        guard case .conditional(let condition, let then, let otherwise) = node.kind else { return [] }
        read(condition)
        return bounded(origins(of: then).union(origins(of: otherwise)))
    }

    private mutating func bind(_ node: Checked) -> Set<Reference> {
        guard case .bind(let slot, let value, let body) = node.kind else { return [] }
        locals[slot] = origins(of: value)
        return origins(of: body)
    }

    private mutating func parts(_ node: Checked) -> Set<Reference> {
        for child in node.kind.children { read(child) }
        return []
    }

    private mutating func readComputation(of field: ObjectType.Field) {
        for variable in field.compute?.reads ?? [] { references.insert(Reference(variable)) }
    }

    private mutating func extended(_ operand: Checked, by field: String) -> Set<Reference> {
        Set(origins(of: operand).map { Reference($0.variable, $0.path + [field]) })
    }

    /// A constant key is a field by another spelling; an element of a list stands for all of them.
    private mutating func index(_ node: Checked) -> Set<Reference> {
        guard case .index(let operand, let index, _) = node.kind else { return [] }
        if case .constant(let key) = index.kind {
            if case .string(let name) = key { return extended(operand, by: name) }
            return origins(of: operand)
        }
        read(index)
        return origins(of: operand)
    }

    private mutating func iteration(_ node: Checked) -> Set<Reference> {
        guard case .iteration(let iteration) = node.kind else { return [] }
        let list = origins(of: iteration.range)
        let element = iteration.second ?? iteration.first
        locals[iteration.first] = iteration.second == nil ? list : []
        locals[element] = list
        usedLocals.remove(element)
        if let predicate = iteration.predicate { read(predicate) }
        let result = iteration.transform.map { origins(of: $0) } ?? []
        // Without a use of its elements a list is still read: there are some or there are none.
        if iteration.macro == .filter { return list }
        if !usedLocals.contains(element) { references.formUnion(list) }
        return result
    }

    private mutating func call(_ node: Checked) -> Set<Reference> {
        guard case .call(let name, let overloads, let operands) = node.kind else { return [] }
        for variable in overloads.flatMap(\.reads) { references.insert(Reference(variable)) }
        // These give back what they were given.
        guard ReferenceCollector.transparent.contains(name) else {
            for operand in operands { read(operand) }
            return []
        }
        return bounded(operands.reduce(into: []) { $0.formUnion(origins(of: $1)) })
    }

    private static let transparent: Set<String> = [
        "value", "orValue", "or", "optional.of", "optional.ofNonZeroValue", "dyn", "first", "last", "reverse",
    ]
}
