/// How much a value holds at most, in steps that going through it takes: elements of a list, entries of a map, fields of an
/// object, and 64 bytes of a text.
struct Extent {
    /// What is assumed where nothing was declared.
    static let assumedElements = 100
    static let assumedText = text(256)

    static func text(_ bytes: Int) -> Int { bytes >> 6 + 1 }

    private struct Level {
        var size = 0
        /// Of a map, its longest key.
        var key = 0
    }

    /// Of the value, of its elements, of theirs, as far down as is known.
    private var levels: [Level] = []

    /// Of what holds nothing, such as a number.
    init() {}

    init(size: Int, key: Int = 0, of element: Extent = Extent()) {
        levels = [Level(size: size, key: key)] + element.levels
    }

    /// Of a variable or a field.
    init(_ type: Type, size declared: Int? = nil) {
        switch type {
        case .nullable(let type), .optional(let type): self.init(type, size: declared)
        case .string, .bytes: self.init(size: declared.map(Self.text) ?? Self.assumedText)
        case .list(let element): self.init(size: declared ?? Self.assumedElements, of: Extent(element))
        case .map(let key, let value):
            self.init(size: declared ?? Self.assumedElements, key: Extent(key).size, of: Extent(value))
        case .dyn:
            self.init(size: declared ?? Self.assumedElements, key: Self.assumedText, of: Extent(size: Self.assumedText))
        case .object(let type):
            let fields = type.fields.map { Extent($0.type, size: $0.maximumSize) }
            self.init(size: fields.count, of: fields.reduce(Extent()) { $0.union($1) })
        default: self.init()
        }
    }

    /// Of a literal.
    init(of value: Value) {
        switch value {
        case .string(let text): self.init(size: Self.text(text.utf8.count))
        case .bytes(let bytes): self.init(size: Self.text(bytes.count))
        default: self.init()
        }
    }

    var size: Int { levels.first?.size ?? 0 }
    var key: Int { levels.first?.key ?? 0 }
    var depth: Int { levels.count }

    var element: Extent {
        var element = Extent()
        element.levels = Array(levels.dropFirst())
        return element
    }

    /// All that is in it, with what is in that.
    var whole: Int {
        var whole = 0
        for level in levels.reversed() { whole = level.size.multiplied(by: whole.adding(1).adding(level.key)) }
        return whole
    }

    func union(_ other: Extent) -> Extent {
        var union = levels.count < other.levels.count ? other : self
        for (index, level) in (levels.count < other.levels.count ? self : other).levels.enumerated() {
            union.levels[index].size = max(union.levels[index].size, level.size)
            union.levels[index].key = max(union.levels[index].key, level.key)
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
