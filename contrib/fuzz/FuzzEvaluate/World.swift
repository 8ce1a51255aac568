import CEL

/// What the expressions may name: something of every type, with what it may hold at most.
enum World {
    static let part = ObjectType(
        "part",
        [
            .init("name", .string, maximumSize: 64),
            .init("kind", .string, knownValues: ["abc", "b"], maximumSize: 64),
            .init("count", .int), .init("cost", .nullable(.double)), .init("note", .nullable(.string), maximumSize: 64),
            .init("since", .nullable(.timestamp)), .init("pause", .nullable(.duration)), .init("made", .timestamp),
            .init("tags", .list(.string), maximumSize: 4), .init("labels", .nullable(.list(.string)), maximumSize: 4),
            .init(
                "age", .duration,
                compute: .init(reads: ["now"], isElapsed: true) { part, activation in
                    guard case .timestamp(let made) = part["made"], case .timestamp(let now) = activation[0] else {
                        return .error(EvaluationError(.unavailable, "not known"))
                    }
                    return .duration(now - made)
                }),
        ])

    static let task = ObjectType(
        "task",
        [
            .init("title", .string, maximumSize: 64), .init("part", .nullable(.object(part))),
            .init("parts", .list(.object(part)), maximumSize: 4), .init("done", .nullable(.bool)),
            .init("data", .map(.string, .dyn), maximumSize: 4),
        ])

    static func environment(_ choices: inout Choices) -> Environment {
        var options = Environment.Options()
        let kind = choices.below(4)
        options.absence = kind != 1
        options.mixedComparisons = kind != 1 && kind != 2
        options.clock = kind == 1 || kind == 3 ? nil : "now"
        var environment = Environment(options: options)
        for (name, type, size) in variables { environment.declare(name, type, maximumSize: size) }
        for function in functions { environment.register(function) }
        environment.register(keyed: sorting)
        return environment
    }

    /// Values for all of them, none larger than was declared.
    static func activation(_ environment: Environment, _ choices: inout Choices) -> Activation {
        var activation = Activation(environment)
        activation[0] = .timestamp(choices.pick([Timestamp(seconds: 1_791_547_200), Timestamp(seconds: 1_000)]))
        for (slot, variable) in variables.enumerated().dropFirst() {
            activation[slot] = value(variable.type, size: variable.size ?? 4, &choices)
        }
        return activation
    }

    static func value(_ type: Type, size: Int, _ choices: inout Choices) -> Value {
        switch type {
        case .nullable(let type): choices.bool() ? .null : value(type, size: size, &choices)
        case .bool: .bool(choices.bool())
        case .int: .int(choices.int())
        case .uint: .uint(choices.uint())
        case .double: .double(choices.double())
        case .string: .string(choices.text())
        case .bytes: .bytes(choices.bytes())
        case .timestamp: .timestamp(choices.timestamp())
        case .duration: .duration(choices.duration())
        case .list(let element): .list(choices.list(upTo: size) { value(element, size: 4, &$0) })
        case .map(let key, let content): map(key, content, size: size, &choices)
        case .optional(let type): .optional(choices.bool() ? .none : OptionalValue(value(type, size: size, &choices)))
        case .object(let type):
            .object(Object(type, type.fields.map { value($0.type, size: $0.maximumSize ?? 4, &choices) }))
        case .dyn: dynamic(&choices)
        default: .null
        }
    }

    private static func map(_ key: Type, _ content: Type, size: Int, _ choices: inout Choices) -> Value {
        let entries = choices.list(upTo: size) { (value(key, size: 4, &$0), value(content, size: 4, &$0)) }
        guard let map = try? MapValue(validating: entries.map { (key: $0, value: $1) }) else {
            return .map(MapValue(named: []))
        }
        return .map(map)
    }

    private static func dynamic(_ choices: inout Choices) -> Value {
        let types: [Type] = [
            .int, .null, .bool, .uint, .double, .string, .bytes, .timestamp, .duration, .list(.int), .list(.string),
            .map(.string, .int), .object(part), .optional(.int),
        ]
        return value(choices.pick(types), size: 4, &choices)
    }

    private static let variables: [(name: String, type: Type, size: Int?)] = [
        ("now", .timestamp, nil), ("task", .object(task), nil), ("maybe", .nullable(.object(part)), nil),
        ("parts", .list(.object(part)), 4), ("any", .dyn, nil), ("i", .int, nil), ("j", .nullable(.int), nil),
        ("u", .uint, nil), ("d", .double, nil), ("s", .string, 64), ("n", .nullable(.string), 64), ("b", .bytes, 64),
        ("t", .timestamp, nil), ("p", .duration, nil), ("is", .list(.int), 4), ("ss", .list(.string), 4),
        ("m", .map(.string, .int), 4), ("mi", .map(.int, .list(.string)), 4), ("o", .optional(.int), nil),
    ]

    private static let functions = [
        Function(
            "elapsed",
            [
                .init([.timestamp], returns: .nullable(.duration), reads: ["now"]) { arguments, activation in
                    guard case .timestamp(let now) = activation[0], case .timestamp(let time) = arguments[0] else {
                        return .null
                    }
                    return .duration(now - time)
                }
            ]),
        Function(
            "first",
            [
                .init([list], returns: .nullable(element), isMember: true) { arguments, _ in
                    guard case .list(let list) = arguments[0] else { return .null }
                    return list.first ?? .null
                }
            ]),
    ]

    private static let element = Type.parameter("T")
    private static let list = Type.list(element)

    /// As the host's `sortBy`, by integers only.
    private static let sorting = Function(
        "sortBy",
        [
            .init([list, .list(.dyn)], returns: list, isMember: true) { arguments, _ in
                guard case .list(let list) = arguments[0], case .list(let keys) = arguments[1] else { return .null }
                let order = keys.indices.sorted { keys[$0].compare(keys[$1]) == .less }
                return .list(order.map { list[$0] })
            }
        ])
}
