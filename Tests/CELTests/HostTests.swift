import CEL
import Testing

/// What a host declares: objects, functions, options.
@Suite struct HostTests {
    @Test(
        arguments: [
            ("task.review.state == 'open'", "error: absent"), ("task.review == null", "true"),
            ("has(task.review)", "false"), ("task.?review.state.orValue('none')", "none"),
            ("task.?review.?since.hasValue()", "false"), ("task.branch == 'main'", "false"),
            ("task.branch != null", "false"), ("task.idle > duration('1h')", "error: absent"),
            ("task.cost < 3", "error: absent"), ("task.favorited && true", "error: absent"),
            ("!task.favorited", "error: absent"), ("task.favorited ? 1 : 2", "error: absent"),
            ("task.branch.startsWith('m')", "error: absent"), ("task.branch + 'x'", "error: absent"),
            ("task.metadata.missing == 1", "error: absent"), ("task.reviews[7].ci == 'pass'", "error: absent"),
            ("has(task.metadata.missing)", "false"), ("task.metadata.tries == 2", "true"),
            ("task.review.ci == 'x' || true", "true"), ("task.branch in ['main']", "false"),
            ("{task.branch: 1}.size()", "error: absent"), ("math.greatest(1.0, task.cost)", "error: absent"),
            ("[task.branch].join('-')", "error: absent"), ("math.least([1.5, task.cost])", "error: absent"),
        ])
    func `what is null is absent, and comparing with null works`(source: String, outcome: String) {
        let nulls: [String: Value] = [
            "review": .null, "branch": .null, "idle": .null, "cost": .null, "favorited": .null,
        ]
        #expect(evaluate(source, World.environment, World.activation(nulls)) == outcome)
    }

    @Test(
        arguments: [
            ("task.reviews.filter(r, r.since > timestamp(0)).size()", "1"),
            ("task.reviews.exists(r, r.since > timestamp(0))", "true"),
            ("task.reviews.exists(r, r.since > timestamp(9000))", "false"),
            ("task.reviews.all(r, r.since > timestamp(0))", "false"),
            ("task.reviews.exists_one(r, r.since > timestamp(0))", "true"),
            ("task.reviews.map(r, r.since > timestamp(0))", "error: absent"),
        ])
    func `an element for which a predicate is absent does not hold`(source: String, outcome: String) {
        #expect(evaluate(source, World.environment, World.activation()) == outcome)
    }

    @Test func `without the option null and missing keys are errors of standard CEL`() {
        var environment = Environment()
        environment.declare("task", .object(World.task))
        var activation = Activation(environment)
        activation[0] = World.activation(["review": .null])[0]
        #expect(evaluate("task.review.ci == 'x'", environment, activation) == "error: noSuchField")
        #expect(evaluate("task.metadata.missing == 1", environment, activation) == "error: noSuchKey")
        #expect(evaluate("task.reviews.exists(r, r.since > timestamp(0))", environment, activation) == "true")
        #expect(
            evaluate("task.reviews.all(r, r.since > timestamp(0))", environment, activation)
                == "error: noSuchOverload")
    }

    @Test func `a value that could not be read is that error wherever it is used`() {
        let unread = Value.error(EvaluationError(.unavailable, "not read yet"))
        let activation = World.activation(["branch": unread, "review": unread])
        for source in ["task.branch == 'x'", "task.review.ci == 'x'", "has(task.branch)", "task.?branch.hasValue()"] {
            #expect(evaluate(source, World.environment, activation) == "error: unavailable", "\(source)")
        }
        #expect(evaluate("task.count == 3 || task.branch == 'x'", World.environment, activation) == "true")
    }

    @Test func `of two errors the one that is not mere absence is reported`() {
        let activation = World.activation(["review": .null, "branch": .error(EvaluationError(.unavailable, "unread"))])
        for source in [
            "task.review.ci == 'x' && task.branch == 'x'", "task.branch == 'x' && task.review.ci == 'x'",
            "task.review.ci == 'x' || task.branch == 'x'",
        ] {
            #expect(evaluate(source, World.environment, activation) == "error: unavailable", "\(source)")
        }
    }

    @Test func `numbers of different types compare, and arithmetic stays strict`() {
        let activation = World.activation()
        for source in ["task.cost > 2", "task.count < 3.5", "task.count == 3.0", "task.count in [1.0, 3.0]", "1u <= 2"]
        {
            #expect(evaluate(source, World.environment, activation) == "true", "\(source)")
        }
        #expect(
            issues("task.cost + 1").map(\.issue.message) == [
                "'+' does not take double or null and int; convert one side, as in int(…)"
            ])
        #expect(issues("1 == 1.0", Environment()).count == 1)
    }

    @Test func `a computed field is computed from object and variables`() throws {
        #expect(evaluate("task.age == duration('1h')", World.environment, World.activation()) == "true")
        let ancient = World.activation(["created": .timestamp(.init(seconds: -62_135_596_800))])
        #expect(evaluate("task.age.getHours() > 0", World.environment, ancient) == "error: overflow")
        #expect(
            evaluate("[task].filter(t, t.age > duration('59m')).size()", World.environment, World.activation()) == "1")
        let program = try World.environment.compile("task.age > duration('1h')")
        #expect(program.references == [Reference("task", ["age"]), Reference("now")])
    }

    @Test func `a host's function gets values and the activation`() throws {
        var environment = World.environment
        environment.register(
            Function(
                "later",
                [
                    Overload([.duration], returns: .timestamp, reads: ["now"]) { arguments, activation in
                        guard case .timestamp(let now) = activation[1], case .duration(let offset) = arguments[0] else {
                            return .error(EvaluationError(.invalidArgument, "no"))
                        }
                        return .timestamp(now + offset)
                    }
                ], documentation: "The time in a while"))
        environment.register(
            Function(
                "size", [Overload([.object(World.task)], returns: .int) { _, _ in .int(42) }]))
        #expect(evaluate("later(duration('1s'))", environment, World.activation()) == "1970-01-01T01:16:41Z")
        #expect(evaluate("size(task) + size('ab')", environment, World.activation()) == "44")
        #expect(evaluate("later(task.idle)", environment, World.activation(["idle": .null])) == "error: absent")
        #expect(try environment.compile("later(duration('1s')) > now").references == [Reference("now")])
    }

    @Test func `a keyed function gets the list and the keys`() {
        var environment = Environment()
        let element = Type.parameter("A")
        environment.register(
            keyed: Function(
                "sortBy",
                [
                    Overload([.list(element), .list(.int)], returns: .list(element), isMember: true) { arguments, _ in
                        guard case .list(let list) = arguments[0], case .list(let keys) = arguments[1] else {
                            return .null
                        }
                        let order = zip(list, keys).sorted { $0.1.compare($1.1) == .less }
                        return .list(order.map(\.0))
                    }
                ]))
        #expect(evaluate("['ccc', 'a', 'bb'].sortBy(x, x.size())[0]", environment) == "a")
        #expect(evaluate("[[3, 1], [2]].sortBy(x, x.sortBy(y, y)[0])", environment) == "[[3, 1], [2]]")
        #expect(evaluate("['a'].sortBy(x, x)", environment).hasPrefix("does not compile"))
    }

    @Test(
        arguments: [
            ("task.review.ci == 'pass'", [Reference("task", ["review", "ci"])]),
            ("task.reviews.all(r, r.ci == 'pass')", [Reference("task", ["reviews", "ci"])]),
            (
                "task.reviews.filter(r, r.ci == 'x')[0].state == 'open'",
                [
                    Reference("task", ["reviews", "ci"]), Reference("task", ["reviews", "state"]),
                ]
            ),
            ("task.reviews.all(r, true)", [Reference("task", ["reviews"])]),
            ("task.?review.state.orValue('x') == 'x'", [Reference("task", ["review", "state"])]),
            ("task.metadata['owner'] == 'a'", [Reference("task", ["metadata", "owner"])]),
            ("has(task.review)", [Reference("task", ["review"])]),
            (
                "(task.count > 1 ? task : task).title == 'x'",
                [Reference("task", ["count"]), Reference("task", ["title"])]
            ),
            (
                "cel.bind(r, task.review, r.ci + r.state)",
                [
                    Reference("task", ["review", "ci"]), Reference("task", ["review", "state"]),
                ]
            ),
            ("[1].map(x, x)", []),
            ("now > timestamp(0) && [task] == [task]", [Reference("now"), Reference("task")]),
        ] as [(String, [Reference])])
    func `references are the longest paths that are read`(source: String, references: [Reference]) throws {
        #expect(try World.environment.compile(source).references == Set(references))
    }
}
