import CEL
import Testing

/// How long the value of an expression lasts while nothing but the clock moves.
@Suite struct HorizonTests {
    private static let item = ObjectType(
        "item",
        [
            .init("at", .timestamp),
            .init("none", .nullable(.timestamp)),
            .init("age", .duration, compute: elapsed(isElapsed: true)),
            // The same, of which the planner does not know that it grows.
            .init("opaque_age", .duration, compute: elapsed(isElapsed: false)),
        ])

    private static func elapsed(isElapsed: Bool) -> ObjectType.Computation {
        .init(reads: ["now"], isElapsed: isElapsed) { item, activation in
            guard case .timestamp(let now) = activation[0], case .timestamp(let at) = item["at"] else { return .null }
            return .duration(now - at)
        }
    }

    private static let environment: Environment = {
        var options = Environment.Options()
        options.absence = true
        options.clock = "now"
        var environment = Environment(options: options)
        environment.declare("now", .timestamp)
        environment.declare("item", .object(item))
        environment.register(
            Function(
                "odd", [.init([], returns: .bool, reads: ["now"]) { _, activation in .bool(isOdd(activation[0])) }]))
        return environment
    }()

    private static func isOdd(_ value: Value) -> Bool {
        if case .timestamp(let now) = value { now.seconds % 2 == 1 } else { false }
    }

    /// The item is of second 100.
    private static func activation(at now: Int64) -> Activation {
        var activation = Activation(environment)
        activation[0] = .timestamp(Timestamp(seconds: now))
        let at = Value.timestamp(Timestamp(seconds: 100))
        activation[1] = .object(Object(item, [at, .null, .null, .null]))
        return activation
    }

    /// At second 130.
    @Test(
        arguments: [
            ("now - item.at > duration('60s')", 160), ("item.age >= duration('60s')", 160),
            ("duration('60s') < item.age", 160), ("now > item.at + duration('90s')", 190),
            ("now < item.at + duration('90s')", 190), ("item.at - now > duration('-60s')", 160),
            ("item.at + duration('50s') <= now", 150), ("timestamp(200) - (now - item.at) < timestamp(120)", 180),
            ("item.age > duration('60s') || item.age > duration('40s')", 140),
            ("[1, 2].exists(n, item.age > duration('60s'))", 160),
            ("cel.bind(late, item.age > duration('60s'), late && late)", 160),
            ("item.age > duration('60s') ? now : item.at", 160),
        ])
    func `what grows with the clock is compared until it is equal`(source: String, end: Int64) throws {
        #expect(try Self.end(source) == Timestamp(seconds: end))
    }

    @Test(
        arguments: [
            "item.age > duration('20s')", "now > item.at", "item.at > timestamp(0)", "item.none > now",
            "false && now > timestamp(500)", "item.age < duration('1s') || true",
        ])
    func `what was passed, and what was not read, lasts for ever`(source: String) throws {
        #expect(try Self.end(source) == nil)
    }

    @Test(
        arguments: [
            "item.opaque_age > duration('60s')", "odd()", "now == item.at", "string(now) == 'x'",
            "item.age > duration('30s')", "now - (now - duration('1s')) > duration('9s')", "[now].size() == 1",
            "dyn(item).age > duration('60s')", "item.?age.hasValue()", "(odd() ? 1 : 2) > 1",
        ])
    func `of anything else that reads the clock only the moment is known`(source: String) throws {
        #expect(try Self.end(source).map { $0 <= Timestamp(seconds: 130) } == true)
    }

    @Test(
        arguments: [
            "now - item.at > duration('60s')", "item.age >= duration('60s')", "item.at - now < duration('-70s')",
            "item.opaque_age < duration('80s')", "odd() || item.age > duration('120s')", "item.none > now",
            "item.age > duration('20s') && item.age < duration('90s')", "now == timestamp(150)",
            "now - (item.age > duration('30s') ? item.at : timestamp(0)) > duration('2m')",
            "timestamp(300) - item.age > timestamp(210)", "item.age - duration('10s') != duration('50s')",
            "now - (odd() ? duration('100s') : duration('1s')) > item.at",
        ])
    func `a value stays as it is until its horizon`(source: String) throws {
        let program = try Self.environment.compile(source)
        for start in Int64(90)...260 {
            let (value, horizon) = program.evaluateWithHorizon(Self.activation(at: start))
            let end = horizon.end?.seconds ?? 400
            for now in start..<max(start, end) {
                let later = program.evaluate(Self.activation(at: now))
                #expect(describe(later) == describe(value), "at \(now), evaluated at \(start)")
            }
        }
    }

    private static func end(_ source: String) throws -> Timestamp? {
        try environment.compile(source).evaluateWithHorizon(activation(at: 130)).horizon.end
    }
}
