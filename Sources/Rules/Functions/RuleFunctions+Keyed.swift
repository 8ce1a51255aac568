package import CEL

extension RuleFunctions {
    private static let group = ObjectType("group", [.init("key", .dyn), .init("items", .list(.dyn))])

    /// Functions written `list.name(x, key)`; see `Environment.register(keyed:)`.
    package static let keyed: [Function] = [
        Function(
            "sortBy",
            [
                .init(
                    [.list(.parameter("T")), .list(.parameter("K"))], returns: .list(.parameter("T")), isMember: true
                ) {
                    arguments, _ in pairs(arguments, sorted)
                }
            ], documentation: "The elements by their keys, the smallest first; equal ones keep their order."),
        Function(
            "groupBy",
            [
                .init([.list(.parameter("T")), .list(.parameter("K"))], returns: .list(.object(group)), isMember: true)
                {
                    arguments, _ in pairs(arguments, grouped)
                }
            ], documentation: "A {key, items} for each key, in the order in which the keys come first."),
    ]

    private typealias Pair = (element: Value, key: Value)

    private static func pairs(_ arguments: [Value], _ body: ([Pair]) -> Value) -> Value {
        guard arguments.count == 2, case .list(let elements) = arguments[0], case .list(let keys) = arguments[1],
            elements.count == keys.count
        else { return .refused("sortBy() and groupBy() take a list and a key of its elements") }
        return body(zip(elements, keys).map { (element: $0, key: $1) })
    }

    private static func sorted(_ pairs: [Pair]) -> Value {
        // Keys that are ordered with the first, in one way or another, are ordered among themselves.
        if let first = pairs.first?.key {
            for pair in pairs where first.compare(pair.key) ?? .unordered == .unordered {
                return .refused("sortBy() needs keys that '<' can compare, not a \(pair.key.typeName)")
            }
        }
        let ordered = pairs.enumerated().sorted { a, b in
            switch a.element.key.compare(b.element.key) {
            case .less: true
            case .equal: a.offset < b.offset
            default: false
            }
        }
        return .list(ordered.map(\.element.element))
    }

    private static func grouped(_ pairs: [Pair]) -> Value {
        var positions: [[UInt8]: Int] = [:]
        var groups: [(key: Value, items: [Value])] = []
        for pair in pairs {
            guard let identity = pair.key.identity else {
                return .refused(
                    "groupBy() needs keys that are text, numbers, bools or times, not a \(pair.key.typeName)")
            }
            let position = positions[Array(identity.utf8)] ?? groups.count
            if position == groups.count {
                positions[Array(identity.utf8)] = position
                groups.append((pair.key, []))
            }
            groups[position].items.append(pair.element)
        }
        return .list(groups.map { .object(Object(group, [$0.key, .list($0.items)])) })
    }
}
