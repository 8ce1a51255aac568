/// What one evaluation came through: every sub-expression that was evaluated, with its value, as a tree.
///
/// Made by `Program.trace`. Literals are left out, since they say themselves what they are.
package struct Trace: Sendable {
    package struct Step: Sendable {
        /// UTF-8 offsets into the program's source.
        package let range: Range<Int>
        /// The value, or the error.
        package let value: Value
        /// What it used, in the order in which that was evaluated; the condition of a macro comes once for every element.
        package let steps: [Step]
        /// It failed, and what it is a part of has a value all the same: another operand of `&&` or `||`, or another
        /// element, decided.
        package fileprivate(set) var isAbsorbed = false

        init(range: Range<Int>, value: Value, steps: [Step]) {
            self.range = range
            self.value = value
            self.steps = steps
        }
    }

    /// The whole expression.
    package let root: Step
    /// There was so much that the later steps of the largest parts were left out.
    package let isCut: Bool
}

/// Collects the steps of one evaluation. A class, since the frame that carries it is handed from node to node.
final class TraceRecorder {
    /// A list of thousands, looked through by a condition of ten steps, is more than anybody reads.
    private static let limit = 10_000

    /// Steps whose parent has not ended yet.
    private var open: [Trace.Step] = []
    private var count = 0

    /// Marks where a step begins, for `end`.
    func begin() -> Int { open.count }

    /// What a macro was made into stands where the macro does; of it only what was written is kept.
    func end(_ mark: Int, _ range: Range<Int>, _ value: Value) {
        var steps = open[mark...].flatMap { $0.range == range ? $0.steps : [$0] }
        if !value.isError {
            for index in steps.indices where steps[index].value.isError { steps[index].isAbsorbed = true }
        }
        open.removeSubrange(mark...)
        count += 1
        if count <= Self.limit || !steps.isEmpty || mark == 0 {
            open.append(Trace.Step(range: range, value: value, steps: steps))
        }
    }

    /// What was recorded below the whole expression, which had this value.
    func finish(_ range: Range<Int>, _ value: Value) -> Trace {
        end(0, range, value)
        return Trace(root: open[0], isCut: count > Self.limit)
    }
}

/// Evaluates a node and writes down what came of it.
final class TraceNode: Node {
    private let node: any Node
    private let range: Range<Int>

    init(_ node: any Node, range: Range<Int>) {
        self.node = node
        self.range = range
    }

    func evaluate(_ frame: inout Frame) -> Value {
        guard let recorder = frame.recorder else { return node.evaluate(&frame) }
        let mark = recorder.begin()
        let value = node.evaluate(&frame)
        recorder.end(mark, range, value)
        return value
    }
}

extension Planned {
    /// Lets the node write down what comes of it, unless it is a literal.
    mutating func trace(_ checked: Checked) {
        if case .constant = checked.kind { return }
        node = TraceNode(node, range: checked.range)
        motion = motion.map { $0.carried(by: TraceNode($0.node, range: checked.range)) }
    }
}
