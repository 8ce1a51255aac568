/// How much a value holds at most, in steps that going through it takes: elements of a list, entries of a map, and 64 bytes
/// of a text.
struct Extent {
    /// What is assumed where nothing was declared.
    static let assumedElements = 100
    static let assumedText = text(256)

    static func text(_ bytes: Int) -> Int { bytes >> 6 + 1 }

    private(set) var size: Int
    /// Of the elements of a list or the values of a map, level by level; what is below the last is assumed.
    private var inner: [Int]

    /// Of what holds nothing, such as a number.
    init() {
        size = 0
        inner = []
    }

    init(size: Int, of element: Extent = Extent()) {
        self.size = size
        inner = [element.size] + element.inner
    }

    /// Of a variable or a field.
    init(_ type: Type, size declared: Int? = nil) {
        switch type.unwrappingOptional.content.withoutNull {
        case .string, .bytes: self.init(size: declared.map(Self.text) ?? Self.assumedText)
        case .list(let element), .map(_, let element):
            self.init(size: declared ?? Self.assumedElements, of: Extent(element))
        case .dyn: self.init(size: declared ?? Self.assumedElements, of: Extent(size: Self.assumedText))
        default: self.init()
        }
    }

    init(of value: Value) {
        switch value {
        case .string(let text): self.init(size: Self.text(text.utf8.count))
        case .bytes(let bytes): self.init(size: Self.text(bytes.count))
        case .list(let list):
            self.init(size: list.count, of: list.reduce(Extent()) { $0.union(Extent(of: $1)) })
        case .map(let map):
            self.init(size: map.count, of: map.entries.reduce(Extent()) { $0.union(Extent(of: $1.value)) })
        case .optional(let optional): self = optional.wrapped.map(Extent.init(of:)) ?? Extent()
        default: self.init()
        }
    }

    var element: Extent {
        guard let first = inner.first else { return Extent() }
        var element = Extent(size: first)
        element.inner = Array(inner.dropFirst())
        return element
    }

    /// All that is in it, with what is in that.
    var whole: Int {
        inner.reversed().reduce(0) { $0.adding(1).multiplied(by: $1) }.adding(1).multiplied(by: size)
    }

    func union(_ other: Extent) -> Extent {
        var union = Extent()
        union.size = max(size, other.size)
        for level in 0..<max(inner.count, other.inner.count) {
            let sizes = [inner, other.inner].map { level < $0.count ? $0[level] : 0 }
            union.inner.append(max(sizes[0], sizes[1]))
        }
        return union
    }
}

extension Int {
    /// Never more than `Int.max`.
    func adding(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    func multiplied(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
