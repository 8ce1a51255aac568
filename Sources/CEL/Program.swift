/// A compiled expression. Shared, so that a host may hand it around for every evaluation.
package final class Program: Sendable {
    package let source: String
    package let resultType: Type
    /// What is allowed but probably not meant.
    package let warnings: [CompilationIssue]
    /// Every variable the expression reads, with the longest constant field path read from it.
    package let references: Set<Reference>
    /// The most steps that it takes while no variable and no field holds more than was declared of it (100 elements, 256
    /// bytes of text, where nothing was), as `evaluate` counts them.
    package let estimatedSteps: Int
    private let plan: Plan

    /// Enough for a list of ten thousand looked through by a long condition; less than a tenth of a second.
    package static let defaultBudget = 1_000_000

    init(
        source: String, resultType: Type, warnings: [CompilationIssue], references: Set<Reference>, estimatedSteps: Int,
        plan: Plan
    ) {
        self.source = source
        self.resultType = resultType
        self.warnings = warnings
        self.references = references
        self.estimatedSteps = estimatedSteps
        self.plan = plan
    }

    /// The value, or `.error`. Never throws, traps or runs longer than `budget` steps.
    ///
    /// A step is one node of the expression; work on lists and text counts by their size.
    package func evaluate(_ activation: Activation, budget: Int = defaultBudget) -> Value {
        evaluateWithHorizon(activation, budget: budget).value
    }

    /// Evaluates, and writes down how it came to its value, when it was compiled for that; else there is only the value.
    package func trace(_ activation: Activation, budget: Int = defaultBudget) -> Trace {
        let recorder = TraceRecorder()
        let value = run(activation, budget, recorder).value
        return recorder.finish(0..<source.utf8.count, value)
    }

    /// The same, and how long it lasts.
    package func evaluateWithHorizon(
        _ activation: Activation, budget: Int = defaultBudget
    ) -> (value: Value, horizon: Horizon) {
        run(activation, budget, nil)
    }

    private func run(
        _ activation: Activation, _ budget: Int, _ recorder: TraceRecorder?
    ) -> (value: Value, horizon: Horizon) {
        var frame = Frame(activation: activation, size: plan.frameSize, budget: budget)
        frame.recorder = recorder
        guard frame.budget.spend(plan.cost) else { return (.error(.budgetExceeded), Horizon()) }
        let value = plan.root.evaluate(&frame)
        // An error that `||` absorbed does not make up for what was left out.
        return (frame.budget.isExhausted ? .error(.budgetExceeded) : value, frame.horizon)
    }
}

/// A variable and the fields read from it: `order.customer.name` is `order` with `["customer", "name"]`.
package struct Reference: Hashable, Sendable {
    package var variable: String
    package var path: [String]

    package init(_ variable: String, _ path: [String] = []) {
        self.variable = variable
        self.path = path
    }
}

extension Environment {
    /// Checks and plans an expression that has been parsed.
    func compile(
        parsed: Expression, source: String, checked isChecked: Bool, traced isTraced: Bool = false
    ) throws(CompilationFailure) -> Program {
        var checker = Checker(self, isStrict: isChecked)
        let checked = checker.check(parsed)
        var planner = Planner(self, source: source, isStrict: isChecked, isTracing: isTraced)
        let failed = checker.issues.contains { $0.severity == .error }
        let root = failed ? nil : planner.plan(checked)
        let issues = (checker.issues + planner.issues).sorted {
            ($0.range.lowerBound, $0.message) < ($1.range.lowerBound, $1.message)
        }
        guard let root, !issues.contains(where: { $0.severity == .error }) else {
            throw CompilationFailure(issues: issues)
        }
        return Program(
            source: source, resultType: checker.inference.resolve(checked.type), warnings: issues,
            references: ReferenceCollector(self).references(of: checked),
            estimatedSteps: CostEstimator(self, patternSizes: planner.patternSizes).steps(of: checked),
            plan: Plan(root: root, frameSize: checker.frameSize))
    }
}
