/// A step of a plan. Nodes know their slots, so that nothing is looked up by name while they run.
protocol Node: AnyObject, Sendable {
    func evaluate(_ frame: inout Frame) -> Value
}

/// What a plan works on while it runs.
struct Frame {
    let activation: Activation
    /// The variables of macros, by the slot that the checker gave them.
    var locals: [Value]
    var budget: Budget
    var horizon = Horizon()
    /// Where steps are written down; nil when nobody wants to know.
    var recorder: TraceRecorder?

    init(activation: Activation, size: Int, budget: Int) {
        self.activation = activation
        self.locals = size == 0 ? [] : Array(repeating: .null, count: size)
        self.budget = Budget(budget)
    }
}

/// A node with the steps that running it once takes, loops inside it aside.
struct Planned {
    var node: any Node
    var cost: Int
    /// The value, when it is always the same.
    var constant: Value?
    /// How it moves with the clock, if that is known.
    var motion: Motion?
}

struct Plan: Sendable {
    let root: any Node
    let cost: Int
    let frameSize: Int

    init(root: Planned, frameSize: Int) {
        self.root = root.node
        cost = root.cost
        self.frameSize = frameSize
    }
}

final class ConstantNode: Node {
    private let value: Value

    init(_ value: Value) {
        self.value = value
    }

    func evaluate(_ frame: inout Frame) -> Value { value }
}

final class VariableNode: Node {
    private let slot: Int

    init(slot: Int) {
        self.slot = slot
    }

    func evaluate(_ frame: inout Frame) -> Value { frame.activation[slot] }
}

final class LocalNode: Node {
    private let slot: Int

    init(slot: Int) {
        self.slot = slot
    }

    func evaluate(_ frame: inout Frame) -> Value { frame.locals[slot] }
}

final class BindNode: Node {
    private let slot: Int
    private let value: any Node
    private let body: any Node

    init(slot: Int, value: any Node, body: any Node) {
        self.slot = slot
        self.value = value
        self.body = body
    }

    /// An error of the value is one only where the body uses it.
    func evaluate(_ frame: inout Frame) -> Value {
        frame.locals[slot] = value.evaluate(&frame)
        return body.evaluate(&frame)
    }
}

/// Where a node stands and what its errors depend on.
struct Site: Sendable {
    let range: Range<Int>
    /// `Environment.Options.absence`.
    let absence: Bool
    /// The operand as written, for messages.
    let operand: String

    func error(_ code: EvaluationError.Code, _ message: String) -> Value {
        .error(EvaluationError(code, message, at: range))
    }

    /// The error of a function, placed at its call. What does not take null is not there, when absence is on.
    func error(_ error: EvaluationError, _ arguments: Value...) -> Value {
        self.error(error, arguments)
    }

    func error(_ error: EvaluationError, _ arguments: [Value]) -> Value {
        if absence, error.code == .noSuchOverload {
            if arguments.contains(where: \.isNull) { return self.error(.absent, "\(operand) is null") }
            if arguments.contains(where: \.holdsNull) { return self.error(.absent, "an element is null") }
        }
        return .error(error.range == nil ? EvaluationError(error.code, error.message, at: range) : error)
    }
}

extension Value {
    var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// Whether it is a list with null in it.
    fileprivate var holdsNull: Bool {
        if case .list(let list) = self { list.contains(where: \.isNull) } else { false }
    }

    var isError: Bool {
        if case .error = self { true } else { false }
    }
}
