package import CEL

/// Values as bytes, for the store: latest readings, subjects, what a decision saw.
///
/// Objects are written by field name, the names of a type once per value, so that a later version with other fields reads
/// them: a field that is gone is left out, a new one is null or, where it cannot be, unavailable.
package struct ObjectCoder: Sendable {
    /// Why stored bytes are not a value.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    let types: [String: ObjectType]

    private static let version: UInt8 = 1

    package init(types: [ObjectType] = WorldSchema.types) {
        self.types = Dictionary(types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package func encode(_ value: Value) -> [UInt8] {
        // A session has a few thousand bytes.
        var encoder = ValueEncoder(capacity: 4_096)
        encoder.writer.byte(Self.version)
        encoder.append(value)
        return encoder.writer.bytes
    }

    package func decode(_ bytes: [UInt8]) throws(Failure) -> Value {
        do throws(ByteReader.Failure) {
            var decoder = ValueDecoder(reader: ByteReader(bytes), types: types)
            let version = try decoder.reader.byte()
            guard version == Self.version else {
                throw ByteReader.Failure("the value was stored in form \(version), this version reads \(Self.version)")
            }
            let value = try decoder.value()
            try decoder.reader.finish()
            return value
        } catch {
            throw Failure(description: error.description)
        }
    }
}
