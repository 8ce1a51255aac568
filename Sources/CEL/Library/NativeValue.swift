/// A Swift type that stands for a CEL type, so that a function of the library is written as a Swift closure and its CEL
/// signature follows from the closure's.
protocol NativeValue: SendableMetatype {
    static var type: Type { get }
    /// Nil for a value of another type.
    init?(_ value: Value)
    var value: Value { get }
}

extension Bool: NativeValue {
    static var type: Type { .bool }
    init?(_ value: Value) {
        guard case .bool(let bool) = value else { return nil }
        self = bool
    }
    var value: Value { .bool(self) }
}

extension Int64: NativeValue {
    static var type: Type { .int }
    init?(_ value: Value) {
        guard case .int(let number) = value else { return nil }
        self = number
    }
    var value: Value { .int(self) }
}

extension UInt64: NativeValue {
    static var type: Type { .uint }
    init?(_ value: Value) {
        guard case .uint(let number) = value else { return nil }
        self = number
    }
    var value: Value { .uint(self) }
}

extension Double: NativeValue {
    static var type: Type { .double }
    init?(_ value: Value) {
        guard case .double(let number) = value else { return nil }
        self = number
    }
    var value: Value { .double(self) }
}

extension String: NativeValue {
    static var type: Type { .string }
    init?(_ value: Value) {
        guard case .string(let text) = value else { return nil }
        self = text
    }
    var value: Value { .string(self) }
}

extension Timestamp: NativeValue {
    static var type: Type { .timestamp }
    init?(_ value: Value) {
        guard case .timestamp(let timestamp) = value else { return nil }
        self = timestamp
    }
    var value: Value { .timestamp(self) }
}

extension Duration: NativeValue {
    static var type: Type { .duration }
    init?(_ value: Value) {
        guard case .duration(let duration) = value else { return nil }
        self = duration
    }
    var value: Value { .duration(self) }
}

/// Arrays stand for two CEL types: of bytes, and of any other values.
extension Array: NativeValue where Element: NativeElement {
    static var type: Type { Element.arrayType }
    init?(_ value: Value) {
        guard let array = Element.array(value) else { return nil }
        self = array
    }
    var value: Value { Element.value(self) }
}

protocol NativeElement: SendableMetatype {
    static var arrayType: Type { get }
    static func array(_ value: Value) -> [Self]?
    static func value(_ array: [Self]) -> Value
}

extension UInt8: NativeElement {
    static var arrayType: Type { .bytes }
    static func array(_ value: Value) -> [UInt8]? {
        guard case .bytes(let bytes) = value else { return nil }
        return bytes
    }
    static func value(_ array: [UInt8]) -> Value { .bytes(array) }
}

extension String: NativeElement {
    static var arrayType: Type { .list(.string) }
    static func array(_ value: Value) -> [String]? {
        guard case .list(let elements) = value else { return nil }
        var texts: [String] = []
        texts.reserveCapacity(elements.count)
        for element in elements {
            guard case .string(let text) = element else { return nil }
            texts.append(text)
        }
        return texts
    }
    static func value(_ array: [String]) -> Value { .list(array.map(Value.string)) }
}
