import CEL
import Testing

/// What holds of every expression that its checker took, on data of the types that were declared.
@Suite struct LawTests {
    /// An expression with data of its own.
    struct Case: Sendable {
        let source: String
        let environment: Environment
        let program: Program
        let activation: Activation

        /// Exactly: with its type, and with the place of an error.
        func value(_ program: Program? = nil, budget: Int = Program.defaultBudget) -> String {
            LawTests.exactly((program ?? self.program).evaluate(activation, budget: budget))
        }
    }

    private static let part = ObjectType(
        "part",
        [
            .init("name", .string, maximumSize: 64), .init("count", .int), .init("cost", .nullable(.double)),
            .init("note", .nullable(.string), maximumSize: 64), .init("since", .nullable(.timestamp)),
            .init("tags", .list(.string), maximumSize: 3), .init("made", .timestamp),
            .init(
                "age", .duration,
                compute: .init(reads: ["now"], isElapsed: true) { part, activation in
                    guard case .timestamp(let made) = part["made"], case .timestamp(let now) = activation[0] else {
                        return .error(EvaluationError(.unavailable, "not known"))
                    }
                    return .duration(now - made)
                }),
        ])

    private static let variables: [(name: String, type: Type)] = [
        ("now", .timestamp), ("part", .object(part)), ("maybe", .nullable(.object(part))),
        ("parts", .list(.object(part))), ("i", .int), ("j", .nullable(.int)), ("u", .uint), ("d", .double),
        ("s", .string), ("n", .nullable(.string)), ("b", .bytes), ("t", .timestamp), ("p", .duration),
        ("is", .list(.int)), ("ss", .list(.string)), ("m", .map(.string, .int)), ("o", .optional(.int)),
    ]

    private static func environment(isHost: Bool) -> Environment {
        var options = Environment.Options()
        options.absence = isHost
        options.mixedComparisons = isHost
        options.clock = isHost ? "now" : nil
        var environment = Environment(options: options)
        for (name, type) in variables { environment.declare(name, type, maximumSize: type == .string ? 64 : 3) }
        return environment
    }

    /// Two thousand of them, half with a host's options. Without those what is null cannot be read, so nothing is null.
    private static let outcomes: [Result<Case, CompilationFailure>] = (0..<2_000).map { seed in
        let isHost = seed % 2 == 0
        let environment = environment(isHost: isHost)
        var generator = ExpressionGenerator(seed: UInt64(seed), variables: variables, isMixed: isHost)
        let source = generator.expression()
        var data = DataGenerator(seed: UInt64(seed), hasNull: isHost)
        var activation = Activation(environment)
        activation[0] = .timestamp(Timestamp(seconds: seed % 3 == 0 ? 1_000 : 1_791_547_200))
        for slot in variables.indices.dropFirst() { activation[slot] = data.value(variables[slot].type) }
        return Result { () throws(CompilationFailure) in
            let program = try environment.compile(source)
            return Case(source: source, environment: environment, program: program, activation: activation)
        }
    }

    private static let cases = outcomes.compactMap { try? $0.get() }

    private static func exactly(_ value: Value) -> String {
        guard case .error(let error) = value else { return value.taggedJSON }
        return "\(error.code) \(error.message) \(error.range.map { "\($0)" } ?? "")"
    }

    @Test func `the checker takes what is well typed`() {
        for outcome in Self.outcomes {
            if case .failure(let failure) = outcome { Issue.record("\(failure.issues)") }
        }
    }

    @Test func `what is printed parses as the same tree, and comes to the same`() throws {
        for tested in Self.cases {
            let parsed = try Parser.parse(tested.source)
            let printed = try Parser.parse(parsed.text)
            #expect(printed.dump == parsed.dump, "\(tested.source)")
            let program = try tested.environment.compile(parsed.text)
            #expect(
                describe(program.evaluate(tested.activation)) == describe(tested.program.evaluate(tested.activation)))
        }
    }

    @Test func `what was checked never meets a value of a wrong type`() {
        for tested in Self.cases {
            guard case .error(let error) = tested.program.evaluate(tested.activation) else { continue }
            let codes: [EvaluationError.Code] = [.noSuchOverload, .noSuchField, .noSuchVariable]
            #expect(!codes.contains(error.code), "\(tested.source): \(error)")
        }
    }

    @Test func `tracing changes nothing`() throws {
        for tested in Self.cases {
            let traced = try tested.environment.compile(tested.source, traced: true)
            let value = tested.value()
            #expect(Self.exactly(traced.trace(tested.activation).root.value) == value, "\(tested.source)")
            #expect(tested.value(traced) == value, "\(tested.source)")
        }
    }

    @Test func `no expression takes more steps than it was said to take`() {
        for tested in Self.cases where !tested.value().hasPrefix("budgetExceeded") {
            #expect(tested.value(budget: tested.program.estimatedSteps) == tested.value(), "\(tested.source)")
        }
    }

    @Test func `an expression comes to the same every time`() {
        for tested in Self.cases { #expect(tested.value() == tested.value(), "\(tested.source)") }
    }

    @Test func `until its horizon an expression comes to the same`() {
        for tested in Self.cases where tested.environment.options.clock != nil {
            let (value, horizon) = tested.program.evaluateWithHorizon(tested.activation)
            guard case .timestamp(let now) = tested.activation[0] else { continue }
            if let end = horizon.end, end <= now { continue }
            let last = horizon.end.map { $0 - .nanoseconds(1) } ?? now + .seconds(1_000_000)
            var later = tested.activation
            later[0] = .timestamp(last)
            #expect(Self.exactly(tested.program.evaluate(later)) == Self.exactly(value), "\(tested.source)")
        }
    }

    /// So that the laws are not about expressions that all fail, or are all alike.
    @Test func `most of the expressions have a value, and some of each error`() {
        let outcomes = Self.cases.map { describe($0.program.evaluate($0.activation)) }
        let failed = outcomes.filter { $0.hasPrefix("error: ") }
        #expect(failed.count < outcomes.count / 2)
        let codes = Set(failed.map { $0.dropFirst("error: ".count) })
        #expect(codes.isSuperset(of: ["absent", "invalidArgument", "divisionByZero", "overflow"]))
        #expect(Set(outcomes).count > 300)
    }
}

/// Values of a type, none larger than `LawTests` declares.
private struct DataGenerator {
    private var random: SplitMix
    private let hasNull: Bool

    init(seed: UInt64, hasNull: Bool) {
        random = SplitMix(state: ~seed)
        self.hasNull = hasNull
    }

    private mutating func pick<Item>(_ items: [Item]) -> Item { items[Int(random.next() % UInt64(items.count))] }

    mutating func value(_ type: Type) -> Value {
        switch type {
        case .nullable(let type): hasNull && pick([true, false]) ? .null : value(type)
        case .bool: .bool(pick([true, false]))
        case .int: .int(pick([0, 1, 3, -1, 100, .max, .min]))
        case .uint: .uint(pick([0, 2, 64, .max]))
        case .double: .double(pick([0, -0.0, 1.5, 1e300, .nan, .infinity, 0x1p63]))
        case .string: .string(pick(["", "a", "abc", "a,b", "é🐱", "12", "UTC", String(repeating: "a", count: 64)]))
        case .bytes: .bytes(pick([[], [0x61], [0xFF], Array(repeating: 0, count: 64)]))
        case .timestamp: .timestamp(pick([0, 1_000, -62_135_596_800, 253_402_300_799].map { .init(seconds: $0) }))
        case .duration: .duration(pick([.zero, .seconds(60), .nanoseconds(Int64.min), .nanoseconds(Int64.max)]))
        case .list(let element): .list(pick([0, 1, 3].map { Array(repeating: (), count: $0) }).map { value(element) })
        case .map(_, let content): .map(MapValue(named: pick([[], ["a"], ["a", "abc"]]).map { ($0, value(content)) }))
        case .optional(let content): .optional(pick([true, false]) ? .none : OptionalValue(value(content)))
        case .object(let type): .object(Object(type, type.fields.map { value($0.type) }))
        default: .null
        }
    }
}
