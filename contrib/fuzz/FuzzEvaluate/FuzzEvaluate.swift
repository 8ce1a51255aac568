import CEL

/// An expression and, behind a zero byte, what its data and options are made of: it comes to the same value however it is
/// evaluated, in no more steps than it was given or said to take.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEvaluate(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let text = input.prefix { $0 != 0 }
    let source = String(decoding: text, as: UTF8.self)
    var choices = Choices(input[text.endIndex...].dropFirst())
    let environment = World.environment(&choices)
    for isChecked in [true, false] {
        guard let program = try? environment.compile(source, checked: isChecked) else {
            expect((try? environment.compile(source, checked: isChecked, traced: true)) == nil, "traced only")
            continue
        }
        guard let traced = try? environment.compile(source, checked: isChecked, traced: true) else {
            fatalError("does not compile when it is traced")
        }
        var data = choices
        Evaluation(program, traced, World.activation(environment, &data), environment).check(isSized: isChecked)
    }
    return 0
}

/// One program with its data.
private struct Evaluation {
    let program: Program
    let traced: Program
    let activation: Activation
    let environment: Environment

    init(_ program: Program, _ traced: Program, _ activation: Activation, _ environment: Environment) {
        self.program = program
        self.traced = traced
        self.activation = activation
        self.environment = environment
    }

    /// - Parameter isSized: no variable holds more than its type and size say.
    func check(isSized: Bool) {
        let budget = 20_000
        let (value, horizon) = program.evaluateWithHorizon(activation, budget: budget)
        checkText(value)
        let again = program.evaluateWithHorizon(activation, budget: budget)
        expect(isSame(value, again.value) && horizon == again.horizon, "another value the second time")
        let trace = traced.trace(activation, budget: budget)
        expect(isSame(value, trace.root.value), "another value when it is traced")
        expect(traced.evaluateWithHorizon(activation, budget: budget).horizon == horizon, "another horizon")
        guard !value.isOverBudget else { return }
        let richer = program.evaluateWithHorizon(activation, budget: budget * 2)
        expect(isSame(value, richer.value) && horizon == richer.horizon, "another value with a larger budget")
        let estimated = program.evaluate(activation, budget: program.estimatedSteps)
        expect(!isSized || isSame(value, estimated), "more than the estimate of \(program.estimatedSteps)")
        checkHorizon(value, horizon)
    }

    /// Until the horizon the value stays what it is, unless a time gets out of range.
    private func checkHorizon(_ value: Value, _ horizon: Horizon) {
        guard environment.options.clock != nil, case .timestamp(let now) = activation[0] else { return }
        let last = horizon.end.map { $0 > now ? $0 - .nanoseconds(1) : now } ?? now + .seconds(86_400 * 400)
        guard last > now else { return }
        var later = activation
        later[0] = .timestamp(last)
        let result = program.evaluate(later, budget: 40_000)
        if case .error(let error) = result, error.code == .overflow { return }
        expect(
            isSame(value, result), "at \(last) it is \(result.text), which it was not to be before the horizon")
    }
}

/// A value can be shown, and read back from what keeps its type.
private func checkText(_ value: Value) {
    _ = value.text
    _ = value.json
    let tagged = value.taggedJSON
    guard let read = try? Value(taggedJSON: tagged) else { return }
    expect(read.taggedJSON == tagged, "reads back as another value: \(tagged)")
}

private func isSame(_ a: Value, _ b: Value) -> Bool {
    if case .error(let a) = a, case .error(let b) = b {
        return a.code == b.code && a.message == b.message && a.range == b.range
    }
    return a.taggedJSON == b.taggedJSON
}

extension Value {
    fileprivate var isOverBudget: Bool {
        if case .error(let error) = self { error.code == .budgetExceeded } else { false }
    }
}

/// Unlike a precondition it says in a release build, too, what is wrong.
private func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
    if !holds { fatalError(message()) }
}
