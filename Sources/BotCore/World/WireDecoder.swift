import CEL

/// Turns what Zimmer sent into CEL values, by declared type.
///
/// Nothing here throws or rejects a row: a member that is not there is null where the type allows it; a member of
/// another type, or a missing one that is not nullable, becomes `.error(unavailable)`, which makes a condition that reads
/// it "cannot tell".
enum WireDecoder {
    /// Values and names inside one member. A session's metadata has a few dozen.
    private static let maximumSize = 50_000
    /// Bytes of text inside one member. A prompt has at most half of that.
    static let maximumText = 1 << 20

    /// An object of `type` from the members that are named like its fields.
    static func object(_ type: ObjectType, _ json: JSONValue) -> Object {
        Object(type, type.fields.map { value($0.type, json[$0.name], "\(type.name).\($0.name)") })
    }

    /// - Parameters:
    ///   - name: the field, for the message.
    ///   - maximumText: bytes of text inside it.
    static func value(
        _ type: Type, _ json: JSONValue?, _ name: @autoclosure () -> String, maximumText: Int = maximumText
    ) -> Value {
        if case .nullable(let inner) = type {
            guard let json, !json.isNull else { return .null }
            return value(inner, json, name(), maximumText: maximumText)
        }
        guard let json else { return .error(.unreadable("Zimmer did not send \(name())")) }
        guard json.size <= maximumSize else {
            return .error(.unreadable("\(name()) has more values than are kept of one"))
        }
        guard json.textSize <= maximumText else {
            return .error(.unreadable("\(name()) has more text than is kept of one"))
        }
        if let value = exactly(type, json, name) { return value }
        return .error(.unreadable("\(name()) is not \(type.wireName) in Zimmer's answer"))
    }

    private static func exactly(_ type: Type, _ json: JSONValue, _ name: () -> String) -> Value? {
        switch type {
        case .bool: json.bool.map(Value.bool)
        case .int: json.int.map(Value.int)
        case .double: number(json).map(Value.double)
        case .string: json.string.map(Value.string)
        case .timestamp: timestamp(json).map(Value.timestamp)
        case .list(let element):
            json.kind == .array ? .list(json.elements.map { value(element, $0, "an element of \(name())") }) : nil
        case .map: json.kind == .object ? dynamic(json) : nil
        case .object(let type): json.kind == .object ? .object(object(type, json)) : nil
        case .dyn: dynamic(json)
        default: nil
        }
    }

    static func timestamp(_ json: JSONValue) -> Timestamp? {
        json.withText { WireTime.instant($0) }.flatMap { $0 }
    }

    /// A number, also one sent as text, as money may be.
    private static func number(_ json: JSONValue) -> Double? {
        let number = json.double ?? json.string.flatMap(Double.init)
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// Free-form JSON as it is: integers are `int` (`uint` above that), other numbers `double`. Of members of the same
    /// name the first counts.
    static func dynamic(_ json: JSONValue) -> Value {
        switch json.kind {
        case .null: .null
        case .bool: .bool(json.bool ?? false)
        case .string: .string(json.string ?? "")
        case .number: dynamicNumber(json)
        case .array: .list(json.elements.map(dynamic))
        case .object: .map(MapValue(entries(json)))
        }
    }

    private static func dynamicNumber(_ json: JSONValue) -> Value {
        if json.isInteger, let int = json.int { return .int(int) }
        if json.isInteger, let uint = json.uint { return .uint(uint) }
        return .double(json.double ?? .nan)
    }

    private static func entries(_ json: JSONValue) -> [(key: Value, value: Value)] {
        var entries: [(key: Value, value: Value)] = []
        entries.reserveCapacity(json.count)
        var seen: Set<ByteKey> = []
        for member in json.members {
            let name = member.name
            if seen.insert(ByteKey(name)).inserted { entries.append((.string(name), dynamic(member.value))) }
        }
        return entries
    }
}

/// Text compared byte by byte: `String` takes composed and decomposed letters for the same.
struct ByteKey: Hashable {
    private let text: String

    init(_ text: String) { self.text = text }

    static func == (a: Self, b: Self) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension Type {
    /// As a sentence about Zimmer's answer names it.
    fileprivate var wireName: String {
        switch self {
        case .bool: "true or false"
        case .int: "an integer"
        case .double: "a number"
        case .string: "text"
        case .timestamp: "a time"
        case .list: "a list"
        default: "an object"
        }
    }
}
