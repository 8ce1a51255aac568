import Foundation

/// A JSON value as Matrix has them: its numbers are integers (Appendices, "Canonical JSON").
enum JSON: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// Nil for what is not JSON, or is nested some hundred levels deep.
    init?(_ bytes: [UInt8]) {
        guard let value = try? JSONDecoder().decode(JSON.self, from: Data(bytes)) else { return nil }
        self = value
    }

    /// With the members of objects in the order of their names: the same value is always the same bytes.
    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Nothing here is beyond what an encoder can write.
        return (try? encoder.encode(self)).map { Array($0) } ?? []
    }

    subscript(name: String) -> JSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var integer: Int? {
        if case .integer(let number) = self { number } else { nil }
    }

    var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// Empty where the value is no list.
    var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// Empty where the value is no object.
    var members: [String: JSON] {
        if case .object(let members) = self { members } else { [:] }
    }
}

extension JSON: Codable {
    /// Takes a value that cannot be read (a fraction, half a surrogate pair) for null: one bad value in an answer of
    /// thousands must not cost the others.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let members = try? container.decode([String: JSON].self) {
            self = .object(members)
        } else if let elements = try? container.decode([JSON].self) {
            self = .array(elements)
        } else if let number = try? container.decode(Int.self) {
            self = .integer(number)
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else {
            self = .null
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral text: String) { self = .string(text) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(integerLiteral number: Int) { self = .integer(number) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }

    init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(Dictionary(members, uniquingKeysWith: { _, last in last }))
    }
}
