package import CEL

/// Evaluates one rule's expressions, for one subject after another, at one instant.
package struct Evaluator {
    package enum Outcome: Hashable, Sendable {
        /// Holds, with the printed value of `key`.
        case yes(key: String)
        case no
        case cannotTell(String)
    }

    private let prepared: PreparedRule
    private let subjectSlot: Int?
    private let previousSlot: Int?
    package private(set) var activation: Activation
    /// How long the outcome lasts while nothing but the clock moves.
    private(set) var horizon = Horizon()
    /// The same of what does not depend on the subject.
    private var fixedHorizon = Horizon()
    /// The windows of costs that charts show.
    private var charts: [ChartRequest: Value] = [:]

    /// Binds what does not depend on the subject.
    package init(_ prepared: PreparedRule, world: World, slot: Slot? = nil) {
        self.prepared = prepared
        let environment = prepared.rule.environment
        activation = Activation(environment)
        subjectSlot = prepared.watchable.flatMap { environment.slot(of: $0.name) }
        previousSlot = environment.slot(of: "previous")
        for name in prepared.reads {
            guard let index = environment.slot(of: name), index != subjectSlot else { continue }
            activation[index] = world.value(of: name, for: prepared, slot: slot)
        }
        if let now = environment.slot(of: "now") { activation[now] = .timestamp(world.now) }
        if let vars = environment.slot(of: "vars") { activation[vars] = .object(prepared.rule.constants) }
        if let slot, let index = environment.slot(of: "slot") {
            activation[index] = .object(slot.value(in: prepared.rule.timeZone))
        }
        for binding in prepared.rule.bindings where !binding.readsSubject {
            activation[binding.slot] = value(of: binding.program)
        }
        fixedHorizon = horizon
        for chart in prepared.charts {
            charts[chart] =
                world.costs[prepared.costsRequest(of: chart, slot: slot?.time)]?.value ?? .notRead("costs")
        }
    }

    package mutating func bind(_ subject: Subject) {
        bind(subject.value, previous: subject.previous)
    }

    mutating func bind(_ subject: Object, previous: Object?) {
        guard let subjectSlot else { return }
        activation[subjectSlot] = .object(subject)
        if let previousSlot { activation[previousSlot] = previous.map(Value.object) ?? .null }
        horizon = fixedHorizon
        for binding in prepared.rule.bindings where binding.readsSubject {
            activation[binding.slot] = value(of: binding.program)
        }
    }

    /// Binds what only steps read; after the subject, which binds `previous`.
    package mutating func bind(_ context: RunContext) {
        func set(_ name: String, _ object: Object?) {
            guard let slot = prepared.rule.environment.slot(of: name) else { return }
            activation[slot] = object.map(Value.object) ?? .null
        }
        set("episode", context.episode?.object)
        set("fired", context.fired?.object)
        set("result", context.result?.object)
    }

    private mutating func value(of program: Program) -> Value {
        let (value, horizon) = program.evaluateWithHorizon(activation)
        self.horizon.lower(to: horizon)
        return value
    }

    /// Whether the condition holds: true, false or cannot tell (docs/rules.md). An error that is only `absent` means that
    /// the rule does not apply.
    package mutating func outcome() -> Outcome {
        if let condition = prepared.rule.condition {
            switch value(of: condition) {
            case .bool(true): break
            case .bool(false): return .no
            case .error(let error): return error.code == .absent ? .no : .cannotTell(error.message)
            case let other: return .cannotTell("'if' is a \(other.typeName), not a bool")
            }
        }
        guard let key = prepared.rule.key else { return .yes(key: "") }
        switch Self.identity(value(of: key)) {
        case .success(let text): return .yes(key: text)
        case .failure(let error): return error.code == .absent ? .no : .cannotTell("'key': \(error.message)")
        }
    }

    /// How the condition comes to what it is, for the subject that is bound; nil without one.
    package func clause() -> Clause? {
        prepared.tracedCondition?.clause(activation)
    }

    /// The parts of the condition that `&&` joins at the top, each evaluated whatever the others say.
    package func clausesAlone() -> [Clause] {
        prepared.tracedCondition?.clausesAlone(activation) ?? []
    }

    /// Why something that the rule reads, in its messages too, could not be read; nil when all of it is there.
    func unavailable() -> String? {
        for name in prepared.reads.sorted() {
            guard let index = prepared.rule.environment.slot(of: name) else { continue }
            if case .error(let error) = activation[index], error.code == .unavailable { return error.message }
        }
        for case .error(let error) in charts.values where error.code == .unavailable { return error.message }
        return nil
    }

    /// What a post's chart shows; nil where the costs are not known.
    func chart(_ request: ChartRequest) -> ChartDraft? {
        guard case .object(let costs)? = charts[request] else { return nil }
        return ChartDraft(request.kind, of: costs)
    }

    /// Whether a step is to be done.
    func condition(of step: Step) -> StepCondition {
        guard let program = step.condition else { return .holds }
        switch program.evaluate(activation) {
        case .bool(true): return .holds
        case .bool(false): return .fails("its 'if' does not hold")
        case .error(let error) where error.code == .absent: return .fails("its 'if' does not apply")
        case .error(let error): return .cannotTell("its 'if': \(error.message)")
        case let other: return .cannotTell("its 'if' is a \(other.typeName), not a bool")
        }
    }

    enum StepCondition {
        case holds
        case fails(String)
        case cannotTell(String)
    }

    /// What a post is grouped by.
    func group() -> PostDraft.Group? {
        guard let group = prepared.rule.group else { return nil }
        // Those of which it cannot be told stand together.
        let value = (try? Self.identity(group.by.evaluate(activation)).get()) ?? ""
        return PostDraft.Group(value: value, wait: group.wait, interval: group.interval)
    }

    /// The value of `once`, printed; nil where a run is bounded by its episode alone.
    func once() -> Result<String?, EvaluationError> {
        guard case .value(let program) = prepared.rule.once else { return .success(nil) }
        return Self.identity(program.evaluate(activation)).map { $0 }
    }

    /// Prints a value that identifies something, with its type, so that `1` and `"1"` stay apart.
    private static func identity(_ value: Value) -> Result<String, EvaluationError> {
        switch value {
        case .string(let value): .success("s:" + value)
        case .int(let value): .success("i:\(value)")
        case .uint(let value): .success("i:\(value)")
        case .bool(let value): .success("b:\(value)")
        case .timestamp(let value): .success("t:\(value.seconds).\(value.nanoseconds)")
        case .error(let error): .failure(error)
        case let other:
            .failure(EvaluationError(.invalidArgument, "a \(other.typeName) cannot identify an episode"))
        }
    }

    /// The values that the condition read, for the audit trail.
    func values() -> [String: Value] {
        var values: [String: Value] = [:]
        for reference in prepared.references where !reference.path.isEmpty {
            guard let slot = prepared.rule.environment.slot(of: reference.variable) else { continue }
            guard let value = activation[slot].following(reference.path, activation) else { continue }
            values[([reference.variable] + reference.path).joined(separator: ".")] = value
        }
        return values
    }
}

extension World {
    /// What a rule sees under a name that is not its subject.
    func value(of name: String, for prepared: PreparedRule, slot: Slot?) -> Value {
        if name == "costs", let request = prepared.costsRequest(slot: slot?.time) {
            return costs[request]?.value ?? .notRead(name)
        }
        return variables[name]?.value ?? .notRead(name)
    }
}

extension Value {
    fileprivate static func notRead(_ name: String) -> Value {
        .error(EvaluationError(.unavailable, "'\(name)' has not been read yet"))
    }

    /// The value at the end of a path of fields; nil where the path leads through something that is no object.
    fileprivate func following(_ path: [String], _ activation: Activation) -> Value? {
        var value = self
        for name in path {
            guard case .object(let object) = value, let slot = object.type.slot(of: name) else { return nil }
            value = object.type.fields[slot].compute?.value(object, activation) ?? object.slots[slot]
        }
        switch value {
        case .list, .map, .object: return nil
        default: return value
        }
    }
}
