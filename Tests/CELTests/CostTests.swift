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
        return environment
    }()

    /// Everything as large as it may be.
    private static let activation: Activation = {
        let fields: [String: Value] = [
            "name": .string(String(repeating: "a", count: 640)), "n": .int(1),
            "tags": .list(Array(repeating: .string("tag"), count: 5)),
        ]
        var activation = Activation(environment)
        activation[0] = .list(Array(repeating: .object(Object(item, named: fields)), count: largest))
        activation[1] = .list(Array(repeating: .int(7), count: 100))
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
        "items[0].name.reverse() == items[0].name", "math.greatest(items.map(i, i.n))", "items.exists_one(i, i.n == 2)",
    ]

    @Test(arguments: sources)
    func `the largest data that was declared takes no more`(source: String) throws {
        let program = try Self.environment.compile(source)
        let value = program.evaluate(Self.activation, budget: program.estimatedSteps)
        if case .error(let error) = value { Issue.record("\(error)") }
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
