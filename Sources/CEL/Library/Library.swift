/// The functions that every environment has: the standard ones (langdef, "List of Standard Definitions") and the
/// extensions for text, mathematics, optionals, base64 and network addresses.
///
/// Each is a function of its arguments alone; work that grows with them is charged to the budget.
enum Library {
    static let functions = Dictionary(
        uniqueKeysWithValues: (general + conversions + time + text + mathematics + optionals + encoders + network).map {
            ($0.name, $0)
        })

    /// Functions that read text of a fixed form, so that a constant they refuse is an error of the source.
    static let readers: Set<String> = ["duration", "timestamp", "ip", "cidr"]

    /// Prepares the second argument of a binary function when it is a constant: gives what is left to do. Nil when the
    /// constant has another type.
    typealias Preparation = @Sendable (Value) throws(EvaluationError) -> Prepared?

    struct Prepared {
        /// A function of the first argument.
        var overload: Overload
        /// Of a pattern, its `Regex.size`.
        var size = 0
    }

    static let preparations: [String: Preparation] = [
        "matches": { @Sendable pattern throws(EvaluationError) in
            guard case .string(let pattern) = pattern else { return nil }
            let regex = try Regex(pattern)
            let overload = Overload.unary(.string, returns: .bool) { text, budget throws(EvaluationError) in
                .bool(try regex.matches(try text.string, &budget))
            }
            return Prepared(overload: overload, size: regex.size)
        }
    ].merging(zonePreparations) { first, _ in first }

    private static let general: [Function] = [
        Function(
            "size", summary: "How many code points, bytes, elements or entries there are",
            [
                .unary(.string, returns: .int, sizeOfText), .unary(.bytes, returns: .int, size),
                .unary(.list(.parameter("A")), returns: .int, size),
                .unary(.map(.parameter("A"), .parameter("B")), returns: .int, size),
            ].alsoAsMember),
        Function(
            "startsWith", summary: "Whether the text begins with another",
            [
                Overload.binary(.string, .string, returns: .bool) { text, other, _ throws(EvaluationError) in
                    .bool(try text.string.utf8.starts(with: try other.string.utf8))
                }.asMember
            ]),
        Function(
            "endsWith", summary: "Whether the text ends with another",
            [
                Overload.binary(.string, .string, returns: .bool) { text, other, _ throws(EvaluationError) in
                    let ending = try other.string.utf8
                    return .bool(try text.string.utf8.suffix(ending.count).elementsEqual(ending))
                }.asMember
            ]),
        Function(
            "contains", summary: "Whether the text has another in it",
            [
                Overload.binary(.string, .string, returns: .bool) { text, other, _ throws(EvaluationError) in
                    .bool(ByteSearch(Array(try other.string.utf8)).first(in: Array(try text.string.utf8)) != nil)
                }.asMember
            ]),
        Function(
            "matches", summary: "Whether an RE2 pattern is found in the text",
            [Overload.binary(.string, .string, returns: .bool, matches)].alsoAsMember),
        Function(
            "type", summary: "The type of a value",
            [
                .unary(.parameter("A"), returns: .type(.parameter("A"))) { value, _ throws(EvaluationError) in
                    .type(value.runtimeType)
                }
            ]),
        Function(
            "dyn", summary: "The same value, without its type being checked beforehand",
            [.unary(.parameter("A"), returns: .dyn) { value, _ throws(EvaluationError) in value }]),
    ]

    @Sendable private static func sizeOfText(_ value: Value, _: inout Budget) throws(EvaluationError) -> Value {
        .int(Int64(try value.string.unicodeScalars.count))
    }

    @Sendable private static func size(_ value: Value, _: inout Budget) throws(EvaluationError) -> Value {
        switch value {
        case .bytes(let bytes): .int(Int64(bytes.count))
        case .list(let list): .int(Int64(list.count))
        case .map(let map): .int(Int64(map.count))
        default: throw value.wrongType
        }
    }

    /// Compiling a pattern costs far more than a step, and more than that when it is found to be too large.
    @Sendable private static func matches(
        _ text: Value, _ pattern: Value, _ budget: inout Budget
    ) throws(EvaluationError) -> Value {
        let pattern = try pattern.string
        try budget.charge(100 + pattern.utf8.count)
        let regex: Regex
        do {
            regex = try Regex(pattern)
        } catch {
            try budget.charge(10_000)
            throw error
        }
        try budget.charge(2 * regex.size)
        return .bool(try regex.matches(try text.string, &budget))
    }
}

extension [Overload] {
    /// Each of them both ways: `f(x)` and `x.f()`.
    var alsoAsMember: [Overload] { self + map(\.asMember) }

    var asMembers: [Overload] { map(\.asMember) }
}

// What a function does with an argument that is not what its signature says: nothing, since overloads are chosen by type.
extension Value {
    var string: String {
        get throws(EvaluationError) {
            guard case .string(let text) = self else { throw wrongType }
            return text
        }
    }

    var int: Int64 {
        get throws(EvaluationError) {
            guard case .int(let number) = self else { throw wrongType }
            return number
        }
    }

    var double: Double {
        get throws(EvaluationError) {
            guard case .double(let number) = self else { throw wrongType }
            return number
        }
    }

    var list: [Value] {
        get throws(EvaluationError) {
            guard case .list(let list) = self else { throw wrongType }
            return list
        }
    }

    var bytes: [UInt8] {
        get throws(EvaluationError) {
            guard case .bytes(let bytes) = self else { throw wrongType }
            return bytes
        }
    }

    var wrongType: EvaluationError {
        EvaluationError(.noSuchOverload, "a \(typeName) is not taken here")
    }
}
