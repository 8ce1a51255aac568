/// A JSON value that keeps the order of its members, so that bodies come out as Zimmer writes them.
package indirect enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([JSON])
    case object([Member])
    /// Bytes that go out as they are: a row that was encoded before, or a test's deliberately broken one.
    case encoded([UInt8])

    package struct Member: Sendable, Hashable {
        package var name: String
        package var value: JSON

        package init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .int(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

extension JSON {
    package init(_ value: String?) { self = value.map(JSON.string) ?? .null }
    package init(_ value: Int?) { self = value.map(JSON.int) ?? .null }
    package init(_ values: [String]) { self = .array(values.map(JSON.string)) }
    /// A time as most of the API writes it: whole seconds.
    package init(_ time: ServerTime?) { self = time.map { .string($0.iso8601) } ?? .null }
}

extension JSON {
    /// The last member of that name, as Rails reads it. Nil where this is no object.
    ///
    /// - Complexity: O(members).
    package subscript(name: String) -> JSON? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.last { $0.name == name }?.value
        }
        set {
            guard case .object(var members) = self else { return }
            let index = members.lastIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name, value))
            case (nil, nil): return
            }
            self = .object(members)
        }
    }

    /// The element at that place. Nil where this is no array or it is shorter.
    package subscript(index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var integer: Int? {
        if case .int(let number) = self { number } else { nil }
    }

    package var number: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    package var flag: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    package var elements: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    package var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }
}
