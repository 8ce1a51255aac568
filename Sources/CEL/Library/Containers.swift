/// Lists, maps and what they share with text: `in`, `[]`, `size`.
enum Containers {
    static let functions: [Function] = [
        Function(
            Operator.isIn,
            [
                .generic([.parameter("A"), .list(.parameter("A"))], returns: .bool) { contains($0[1], $0[0]) },
                .generic([.parameter("A"), .map(.parameter("A"), .parameter("B"))], returns: .bool) {
                    contains($0[1], $0[0])
                },
            ], documentation: "Whether a list has the element, or a map the key."),
        Function(
            Operator.index,
            [
                .generic([.list(.parameter("A")), .int], returns: .parameter("A")) { element(of: $0[0], at: $0[1]) },
                .generic([.map(.parameter("A"), .parameter("B")), .parameter("A")], returns: .parameter("B")) {
                    element(of: $0[0], at: $0[1])
                },
            ], documentation: "The element of a list at a position counted from 0, or the value of a map under a key."),
        Function(
            "size", sizes + sizes.map(\.asMember),
            documentation: "The number of code points, bytes, elements or entries."),
    ]

    /// What `container[key]` is. A position may be an int, a uint or a whole double.
    ///
    /// - Returns: The errors `indexOutOfRange` and `noSuchKey` for what is not there, `noSuchOverload` for anything but a
    ///   list or a map, `invalidArgument` for a position that is no whole number.
    static func element(of container: Value, at key: Value) -> Value {
        switch container {
        case .list(let elements): element(of: elements, at: key)
        case .map(let map): map[key] ?? .error(EvaluationError(.noSuchKey, "the map has no key \(shown(key))"))
        default: .noSuchOverload([container, key])
        }
    }

    private static func element(of elements: [Value], at key: Value) -> Value {
        let position: Int?
        switch key {
        case .int(let number): position = Int(exactly: number)
        case .uint(let number): position = Int(clamping: number)
        case .double(let number): position = Int(exactly: number)
        default: return .error(EvaluationError(.invalidArgument, "a list has no position '\(key.typeName)'"))
        }
        guard let position else {
            return .error(EvaluationError(.invalidArgument, "a list has no position \(key.text)"))
        }
        guard elements.indices.contains(position) else {
            return .error(
                EvaluationError(.indexOutOfRange, "position \(position) is outside a list of \(elements.count)"))
        }
        return elements[position]
    }

    private static func shown(_ key: Value) -> String {
        if case .string(let text) = key { return "'\(text.prefix(64))'" }
        return String(key.text.prefix(64))
    }

    private static func contains(_ container: Value, _ wanted: Value) -> Value {
        switch container {
        case .map(let map): return .bool(map[wanted] != nil)
        case .list(let elements):
            var steps = 1_000_000
            let isFound = elements.contains { $0.equals(wanted, within: &steps) }
            return steps >= 0 ? .bool(isFound) : .error(.tooManyParts)
        default: return .noSuchOverload([wanted, container])
        }
    }

    private static let sizes: [Overload] = [
        .global { (text: String) in Int64(text.unicodeScalars.count) },
        .global { (bytes: [UInt8]) in Int64(bytes.count) },
        .generic([.list(.parameter("A"))], returns: .int) { arguments in
            guard case .list(let elements) = arguments[0] else { return .noSuchOverload(arguments) }
            return .int(Int64(elements.count))
        },
        .generic([.map(.parameter("A"), .parameter("B"))], returns: .int) { arguments in
            guard case .map(let map) = arguments[0] else { return .noSuchOverload(arguments) }
            return .int(Int64(map.entries.count))
        },
    ]
}
