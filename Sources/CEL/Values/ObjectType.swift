/// A declared object type: a closed set of typed fields, each with a slot, so that a misspelt name is found by the
/// checker and a read at run time is an array access.
///
/// Two object types are equal only when they are the same declaration.
package final class ObjectType: Sendable {
    package struct Field: Sendable {
        package var name: String
        package var type: Type
        /// The words this text field is known to take; the checker warns where it is compared with another.
        package var knownValues: [String]
        /// How many elements, or bytes of text, it has at most, for `Program.estimatedSteps`.
        package var maximumSize: Int?
        /// Computes the field instead of storing it: for what depends on a variable as well as on the object.
        package var compute: Computation?

        package init(
            _ name: String, _ type: Type, knownValues: [String] = [], maximumSize: Int? = nil,
            compute: Computation? = nil
        ) {
            self.name = name
            self.type = type
            self.knownValues = knownValues
            self.maximumSize = maximumSize
            self.compute = compute
        }
    }

    /// How a computed field gets its value.
    package struct Computation: Sendable {
        /// Variables that the computation reads, so that `Program.references` can list them.
        package var reads: [String]
        /// The value is a duration that grows with the clock (`Environment.Options.clock`), second by second.
        package var isElapsed: Bool
        package var value: @Sendable (Object, Activation) -> Value

        package init(
            reads: [String], isElapsed: Bool = false, value: @escaping @Sendable (Object, Activation) -> Value
        ) {
            self.reads = reads
            self.isElapsed = isElapsed
            self.value = value
        }
    }

    package let name: String
    package let fields: [Field]
    private let slots: [String: Int]

    package init(_ name: String, _ fields: [Field]) {
        self.name = name
        self.fields = fields
        self.slots = Dictionary(uniqueKeysWithValues: fields.enumerated().map { ($1.name, $0) })
    }

    /// The slot of a field, nil when the type has none of that name.
    package func slot(of field: String) -> Int? {
        slots[field]
    }
}

extension ObjectType: Hashable {
    package static func == (a: ObjectType, b: ObjectType) -> Bool { a === b }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
