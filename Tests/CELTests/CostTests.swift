import CEL
import Testing

/// The steps that an expression is said to take at most.
@Suite struct CostTests {
    private static let largest = 40
    private static let item = ObjectType(
        "item",
        [
            .init("name", .string, maximumSize: 640), .init("tags", .list(.string), maximumSize: 5), .init("n", .int),
        ])

    private static let environment: Environment = {
        var environment = Environment()
        environment.declare("items", .list(.object(item)), maximumSize: largest)
        environment.declare("others", .list(.int))
        environment.declare("map", .map(.string, .int))
        environment.declare("anything", .dyn)
        environment.declare("data", .map(.string, .dyn))
        return environment
    }()

    /// Everything as large as it may be.
    private static let activation: Activation = {
        let fields: [String: Value] = [
            "name": .string(String(repeating: "a", count: 640)), "n": .int(1),
            "tags": .list(Array(repeating: .string("tag"), count: 5)),
        ]
        var activation = Activation(environment)
        activation[0] = .list((0..<largest).map { _ in .object(Object(item, named: fields)) })
        activation[1] = .list(Array(repeating: .int(7), count: 100))
        let keys = (100..<200).map { Value.string(String(repeating: "k", count: 253) + "\($0)") }
        activation[2] = .map(MapValue(keys.map { (key: $0, value: .int(1)) }))
        let texts = Value.list(Array(repeating: .string(String(repeating: "t", count: 256)), count: 100))
        activation[3] = .list(Array(repeating: texts, count: 100))
        activation[4] = .map(MapValue(keys.map { (key: $0, value: .list(Array(repeating: texts, count: 10))) }))
        return activation
    }()

    private func estimate(_ source: String) throws -> Int {
        try Self.environment.compile(source).estimatedSteps
    }

    static let sources = [
        "items.size() > 3", "items.all(i, i.n == 1)", "items.exists(i, i.name.contains('b'))",
        "items.filter(i, i.tags.exists(t, t == 'x')).size()", "items.map(i, i.name.upperAscii()).join(',')",
        "items.all(i, items.exists(j, i.n == j.n))", "items[0].name.split('').size()", "items == items",
        "items[0].name.replace('a', 'bc').size()", "'%s'.format([items[0].name + items[0].name])",
        "items.map(i, i.tags).map(t, t.join('-')).size()", "cel.bind(all, items + items, all.all(i, i.n == 1))",
        "others.exists(o, o in others) ? items.map(i, i.n) : others", "items.map(i, {'a': i.name}).size()",
        "items.transformList(at, i, i.name.size() + at)", "items.exists(i, i.name.matches('^(b|c)*$'))",
        "map.all(k, k.contains('k'))", "map.all(k, v, k.contains('k'))", "map.map(k, k.upperAscii()).join(',')",
        "map.filter(k, true).all(k, k.contains('k'))", "data.all(k, v, v.all(x, x.all(y, y.contains('t'))))",
        "anything.all(x, x.all(y, y.contains('t')))", "anything[0].all(y, y.contains('t'))",
        "data.all(k, v, v[0].all(y, string(y).contains('t')))",
        "items[0] == items[1]", "items.exists(i, i == items[0] && false)", "items.all(i, i in items)",
        "items[0].name.reverse() == items[0].name", "math.greatest(items.map(i, i.n))", "items.exists_one(i, i.n == 2)",
    ]

    @Test(arguments: sources)
    func `the largest data that was declared takes no more`(source: String) throws {
        let program = try Self.environment.compile(source)
        let value = program.evaluate(Self.activation, budget: program.estimatedSteps)
        if case .error(let error) = value { Issue.record("\(error)") }
    }

    @Test(arguments: [
        "items.exists(i, i.n == 2 && i.tags.exists(t, t == 'x'))", "items.filter(i, i.name.contains('x')).size() > 3",
        "items.filter(i, i.name.contains('x')).map(i, i.name).join(', ')", "items.map(i, i.n).exists(n, n == 2)",
        "items.exists(i, i.n == int(data['a']))", "items.exists(i, i.name == string(data['a']))",
    ])
    func `a list of ten thousand may be gone through, with a short list in each element`(source: String) throws {
        var environment = Self.environment
        environment.declare("items", .list(.object(Self.item)), maximumSize: 10_000)
        #expect(try environment.compile(source).estimatedSteps < Program.defaultBudget)
    }

    @Test func `loops inside of loops multiply`() throws {
        let one = try estimate("items.all(i, i.n == 1)")
        let two = try estimate("items.all(i, items.all(j, j.n == 1))")
        #expect((two / one) >= Self.largest - 1)
        #expect((two / one) <= Self.largest + 1)
    }

    @Test func `what is beyond counting is the largest number`() throws {
        let levels = 30
        let source =
            (0..<levels).map { "others.all(v\($0), " }.joined() + "true" + String(repeating: ")", count: levels)
        #expect(try estimate(source) == .max)
    }

    @Test func `a host's function pays for the elements that it is given`() throws {
        var environment = Self.environment
        environment.register(
            Function("odd", [.init([.list(.dyn)], returns: .bool, isMember: true) { _, _ in .bool(true) }]))
        let program = try environment.compile("others.odd()")
        #expect(describe(program.evaluate(Self.activation, budget: 50)) == "error: budgetExceeded")
        #expect(describe(program.evaluate(Self.activation, budget: program.estimatedSteps)) == "true")
    }
}
