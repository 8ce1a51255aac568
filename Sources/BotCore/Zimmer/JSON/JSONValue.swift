import CSimdjson

/// One value of a document. Accessors are lenient: a value of another type is nil, never a failure.
package struct JSONValue: Sendable {
    package enum Kind: Sendable { case null, bool, number, string, array, object }

    private let document: JSONDocument
    private let index: Int

    init(_ document: JSONDocument, _ index: Int) {
        self.document = document
        self.index = index
    }

    private var node: zb_json_node { document.nodes[index] }

    package var kind: Kind {
        switch Int(node.kind) {
        case ZB_JSON_NULL: .null
        case ZB_JSON_FALSE, ZB_JSON_TRUE: .bool
        case ZB_JSON_STRING: .string
        case ZB_JSON_ARRAY: .array
        case ZB_JSON_OBJECT: .object
        default: .number
        }
    }

    package var isNull: Bool { kind == .null }

    package var bool: Bool? {
        switch Int(node.kind) {
        case ZB_JSON_TRUE: true
        case ZB_JSON_FALSE: false
        default: nil
        }
    }

    /// An integer, also one written `3.0`.
    package var int: Int64? {
        switch Int(node.kind) {
        case ZB_JSON_INT: Int64(bitPattern: node.payload)
        case ZB_JSON_DOUBLE: Int64(exactly: Double(bitPattern: node.payload))
        default: nil
        }
    }

    /// Written without fraction and exponent.
    package var isInteger: Bool {
        Int(node.kind) == ZB_JSON_INT || Int(node.kind) == ZB_JSON_UINT
    }

    package var uint: UInt64? {
        Int(node.kind) == ZB_JSON_UINT ? node.payload : int.flatMap(UInt64.init(exactly:))
    }

    package var double: Double? {
        switch Int(node.kind) {
        case ZB_JSON_DOUBLE: Double(bitPattern: node.payload)
        case ZB_JSON_INT: Double(Int64(bitPattern: node.payload))
        case ZB_JSON_UINT: Double(node.payload)
        default: nil
        }
    }

    package var string: String? {
        withText { String(decoding: $0, as: UTF8.self) }
    }

    /// The elements of an array; none of anything else.
    package var elements: Elements {
        Elements(document: document, index: index + 1, end: Int(node.kind) == ZB_JSON_ARRAY ? end : index + 1)
    }

    /// The members of an object in the order of the text; none of anything else.
    package var members: Members {
        Members(document: document, index: index + 1, end: Int(node.kind) == ZB_JSON_OBJECT ? end : index + 1)
    }

    /// How many elements or members there are.
    package var count: Int {
        Int(node.kind) >= ZB_JSON_ARRAY ? Int(node.payload) : 0
    }

    /// How many values and member names are inside.
    var size: Int { Int(node.kind) >= ZB_JSON_ARRAY ? Int(node.length) : 0 }

    /// The bytes of all text inside.
    var textSize: Int { document.nodes.baseAddress.map { zb_json_text_size($0 + index) } ?? 0 }

    /// The first member of that name; nil too when this is not an object.
    ///
    /// - Complexity: one step per member before it.
    package subscript(_ name: String) -> JSONValue? {
        var name = name
        return name.withUTF8 { wanted in
            for member in members where member.hasName(wanted) { return member.value }
            return nil
        }
    }

    /// The member of that name, where null is the same as not there.
    package func present(_ name: String) -> JSONValue? {
        self[name].flatMap { $0.isNull ? nil : $0 }
    }

    /// Equal for equal content, within this process.
    func digest(seed: UInt64) -> UInt64 {
        document.nodes.baseAddress.map { zb_json_digest($0 + index, seed) } ?? 0
    }

    /// Hands out the UTF-8 of a string; nil when this is none.
    func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
        let node = node
        guard Int(node.kind) == ZB_JSON_STRING else { return nil }
        let start = UnsafePointer<UInt8>(bitPattern: UInt(node.payload))
        return body(UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(node.length)))
    }

    /// The index behind this value and everything inside it.
    fileprivate var end: Int {
        index + 1 + (Int(node.kind) >= ZB_JSON_ARRAY ? Int(node.length) : 0)
    }

    package struct Elements: Sequence, IteratorProtocol {
        fileprivate let document: JSONDocument
        fileprivate var index: Int
        fileprivate let end: Int

        package mutating func next() -> JSONValue? {
            guard index < end else { return nil }
            let value = JSONValue(document, index)
            index = value.end
            return value
        }
    }

    package struct Members: Sequence, IteratorProtocol {
        package struct Member {
            fileprivate let key: JSONValue
            package let value: JSONValue

            package var name: String { key.string ?? "" }

            func hasName(_ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
                key.withText { $0.count == wanted.count && $0.elementsEqual(wanted) } ?? false
            }
        }

        fileprivate let document: JSONDocument
        fileprivate var index: Int
        fileprivate let end: Int

        package mutating func next() -> Member? {
            guard index < end else { return nil }
            let value = JSONValue(document, index + 1)
            defer { index = value.end }
            return Member(key: JSONValue(document, index), value: value)
        }
    }
}
