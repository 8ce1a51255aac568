/// A map key in the form in which equal keys are the same: `1`, `1u` and `1.0` are one key, text goes by code point.
struct MapKey: Sendable {
    private enum Form: Sendable {
        case bool(Bool)
        /// Every whole number of -2^63 ... 2^63-1, whatever its type.
        case number(Int64)
        /// Those above.
        case large(UInt64)
        case text(String)
    }

    private let form: Form

    /// Nil for a value that no key can equal.
    init?(_ value: Value) {
        switch value {
        case .string(let text): form = .text(text)
        case .bool(let bool): form = .bool(bool)
        case .int(let number): form = .number(number)
        case .uint(let number): form = Int64(exactly: number).map(Form.number) ?? .large(number)
        case .double(let number):
            if let small = Int64(exactly: number) {
                form = .number(small)
            } else if let large = UInt64(exactly: number) {
                form = .large(large)
            } else {
                return nil
            }
        default: return nil
        }
    }
}

extension MapKey: Hashable {
    static func == (a: MapKey, b: MapKey) -> Bool {
        switch (a.form, b.form) {
        case (.text(let a), .text(let b)): a.hasSameCodePoints(as: b)
        case (.number(let a), .number(let b)): a == b
        case (.bool(let a), .bool(let b)): a == b
        case (.large(let a), .large(let b)): a == b
        default: false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch form {
        case .text(let text): text.withUTF8Bytes { hasher.combine(bytes: $0) }
        case .number(let number): hasher.combine(number)
        case .bool(let bool): hasher.combine(bool)
        case .large(let number): hasher.combine(number)
        }
    }
}
