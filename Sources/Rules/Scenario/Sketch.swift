package import CEL

/// A value of which only a part is written down: the rest is what came before, or a default.
package indirect enum Sketch: Sendable {
    case value(Value)
    /// An instant counted from that of the step in which it stands.
    case fromNow(Duration)
    case object([String: Sketch])
    case list([Sketch])
    /// A map whose values are of a declared type.
    case map([(String, Sketch)])

    /// With its instants fixed.
    package func resolved(at now: Timestamp) -> Sketch {
        switch self {
        case .value: self
        case .fromNow(let distance): .value(.timestamp(now + distance))
        case .object(let fields): .object(fields.mapValues { $0.resolved(at: now) })
        case .list(let elements): .list(elements.map { $0.resolved(at: now) })
        case .map(let entries): .map(entries.map { ($0, $1.resolved(at: now)) })
        }
    }

    /// What is written here, over what was there before. Objects are put together field by field; anything else takes the
    /// place of the earlier value.
    package func over(_ before: Sketch?) -> Sketch {
        guard case .object(let fields) = self, case .object(let known)? = before else { return self }
        return .object(known.merging(fields) { $1.over($0) })
    }

    package subscript(field: String) -> Sketch? {
        if case .object(let fields) = self { fields[field] } else { nil }
    }

    /// Whether it is written down that there is none.
    package var isNull: Bool {
        if case .value(.null) = self { true } else { false }
    }
}

extension Sketch? {
    /// The whole value, with a default for everything that is not written down: null where the type allows it, else empty,
    /// zero, false, the first of the words that a field is known to take, or `since` for an instant.
    ///
    /// - Parameter fill: a better default, by the name of the object's type and of the field.
    package func completed(
        as type: Type, words: [String] = [], since: Timestamp, fill: (String, String) -> Value? = { _, _ in nil }
    ) -> Value {
        if case .nullable(let inner) = type {
            guard let self, !self.isNull else { return .null }
            return Optional(self).completed(as: inner, words: words, since: since, fill: fill)
        }
        switch (self, type) {
        case (.value(let value)?, _): return value
        case (.fromNow(let distance)?, _): return .timestamp(since + distance)
        case (.list(let elements)?, .list(let element)):
            return .list(elements.map { Optional($0).completed(as: element, since: since, fill: fill) })
        case (.map(let entries)?, .map(_, let value)):
            return .map(
                MapValue(
                    named: entries.map { ($0, Optional($1).completed(as: value, since: since, fill: fill)) }))
        case (_, .object(let type)): return .object(object(type, since: since, fill: fill))
        default: return Self.empty(type, words: words, since: since)
        }
    }

    /// The same of an object.
    package func object(
        _ type: ObjectType, since: Timestamp, fill: (String, String) -> Value? = { _, _ in nil }
    ) -> Object {
        let values = type.fields.map { field -> Value in
            // A computed field has no value of its own.
            if field.compute != nil { return .null }
            let written = self?[field.name]
            if written == nil, let value = fill(type.name, field.name) { return value }
            return written.completed(as: field.type, words: field.knownValues, since: since, fill: fill)
        }
        return Object(type, values)
    }

    private static func empty(_ type: Type, words: [String], since: Timestamp) -> Value {
        switch type {
        case .bool: .bool(false)
        case .int: .int(0)
        case .uint: .uint(0)
        case .double: .double(0)
        case .string: .string(words.first ?? "")
        case .timestamp: .timestamp(since)
        case .duration: .duration(.zero)
        case .list: .list([])
        case .map: .map(MapValue([]))
        default: .null
        }
    }
}
