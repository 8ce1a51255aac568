/// An expression in which every name stands for what it was found to mean.
struct Checked {
    indirect enum Kind {
        case constant(Value)
        /// By its slot in the activation.
        case variable(Int)
        /// The variable of a macro, by its slot in the frame.
        case local(Int)
        /// A name without meaning, in an unchecked expression: using it is this error.
        case failure(EvaluationError)
        /// A field of a declared object type.
        case field(Checked, ObjectType, slot: Int, isOptional: Bool)
        /// A field that is looked up by name when it is read.
        case select(Checked, name: String, isOptional: Bool)
        case presence(Checked, name: String)
        case index(Checked, Checked, isOptional: Bool)
        /// An operator, by its name in `Operator`.
        case operation(String, [Checked])
        case call(name: String, [Overload], [Checked])
        case and([Checked])
        case or([Checked])
        case conditional(Checked, Checked, Checked)
        case list([(value: Checked, isOptional: Bool)])
        case map([(key: Checked, value: Checked, isOptional: Bool)])
        case iteration(CheckedIteration)
        case bind(slot: Int, Checked, Checked)
    }

    var kind: Kind
    /// May hold type variables until the whole expression has been seen.
    var type: Type
    var range: Range<Int>
}

struct CheckedIteration {
    var macro: Iteration.Macro
    var range: Checked
    /// Frame slots of the variables.
    var first: Int
    var second: Int?
    var predicate: Checked?
    var transform: Checked?
}

extension Checked.Kind {
    var children: [Checked] {
        switch self {
        case .constant, .variable, .local, .failure: []
        case .field(let operand, _, _, _), .select(let operand, _, _), .presence(let operand, _): [operand]
        case .index(let operand, let index, _): [operand, index]
        case .operation(_, let operands), .call(_, _, let operands), .and(let operands), .or(let operands): operands
        case .conditional(let condition, let then, let otherwise): [condition, then, otherwise]
        case .list(let elements): elements.map(\.value)
        case .map(let entries): entries.flatMap { [$0.key, $0.value] }
        case .iteration(let iteration):
            [iteration.range] + [iteration.predicate, iteration.transform].compactMap { $0 }
        case .bind(_, let value, let body): [value, body]
        }
    }
}
