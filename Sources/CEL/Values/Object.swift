/// A value of a declared object type. Immutable, so that it is shared between readings instead of copied.
///
/// A slot may hold `.null` (not present, for a nullable field) or `.error` (could not be read: using it is that error).
package final class Object: Sendable {
    package let type: ObjectType
    /// One value per field of `type`, in its order. The slot of a computed field is not used.
    package let slots: [Value]

    package init(_ type: ObjectType, _ slots: [Value]) {
        precondition(slots.count == type.fields.count, "an object has one value per declared field")
        self.type = type
        self.slots = slots
    }

    /// Makes an object from named values; fields left out are null.
    package convenience init(_ type: ObjectType, named values: [String: Value]) {
        self.init(type, type.fields.map { values[$0.name] ?? .null })
    }

    /// The stored value of a field by name; an error when there is no such field. For hosts: programs use slots.
    package subscript(_ field: String) -> Value {
        guard let slot = type.slot(of: field) else {
            return .error(EvaluationError(.noSuchField, "\(type.name) has no field '\(field)'"))
        }
        return slots[slot]
    }
}
