import AdapterKit
import Testing

/// What holds for every text, tried on texts made at random.
@Suite struct TextPartsLawTests {
    @Test(arguments: 0..<60)
    func `every part is within the limit and not empty, and no text is lost`(seed: Int) {
        var trees = TextTreeGenerator(seed: UInt64(seed))
        let tree = trees.next()
        for limit in [100, 300] {
            let cut = tree.parts(atMost: .max, of: limit) { $0.plainText.utf8.count }
            let sizes = cut.parts.map { $0.plainText.utf8.count }
            #expect(sizes.allSatisfy { $0 <= limit })
            let texts = cut.parts.map(letters)
            let emptyParts = texts.count(where: \.isEmpty)
            #expect(emptyParts == 0)
            #expect(cut.omittedBytes == 0)
            // Compared apart: what an expectation prints of thousands of letters helps nobody.
            let isAllThere = texts.joined().utf8.elementsEqual(letters(tree).utf8)
            #expect(isAllThere, "limit \(limit)")
        }
    }

    @Test(arguments: 0..<50)
    func `numbers and the end are within the limit too`(seed: Int) {
        var trees = TextTreeGenerator(seed: UInt64(seed))
        let tree = trees.next()
        let parts = tree.numberedParts(atMost: 3, of: 150, url: "https://z.example/7") { $0.plainText.utf8.count }
        #expect(parts.count <= 3)
        for part in parts { #expect(part.plainText.utf8.count <= 150) }
    }

    /// The words without what formatting adds to them. A link that was cut has its address in several parts, so
    /// addresses are not compared.
    private func letters(_ tree: TextTree) -> String {
        tree.blocks.map(letters).joined()
    }

    private func letters(_ block: TextBlock) -> String {
        switch block {
        case .paragraph(let inlines), .heading(_, let inlines): inlines.map(letters).joined()
        case .list(_, let items): items.joined().map(letters).joined()
        case .code(let text, _): text.filter { !$0.isWhitespace }
        case .quote(let blocks): blocks.map(letters).joined()
        case .divider: ""
        }
    }

    private func letters(_ inline: TextInline) -> String {
        switch inline {
        case .text(let text), .code(let text): text.filter { !$0.isWhitespace }
        case .strong(let inlines), .emphasis(let inlines), .strikethrough(let inlines), .link(let inlines, _):
            inlines.map(letters).joined()
        case .lineBreak: ""
        }
    }
}

/// Makes trees of every kind of block and inline, the same for the same seed.
private struct TextTreeGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &+ 1
    }

    mutating func next() -> TextTree {
        TextTree([.paragraph([.text(word())])] + blocks(depth: 0))
    }

    private mutating func below(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % count
    }

    private mutating func blocks(depth: Int) -> [TextBlock] {
        (0..<below(5) + 1).map { _ in block(depth: depth) }
    }

    private mutating func block(depth: Int) -> TextBlock {
        switch below(depth < 2 ? 7 : 4) {
        case 0, 1: .paragraph(inlines(depth: 0))
        case 2: .heading(level: below(6) + 1, inlines(depth: 0))
        case 3: .code((0..<below(4) + 1).map { _ in text() }.joined(separator: "\n"), language: nil)
        case 4: .quote(blocks(depth: depth + 1))
        case 5: .divider
        default:
            .list(
                start: below(2) == 0 ? nil : below(20), items: (0..<below(4) + 1).map { _ in blocks(depth: depth + 1) })
        }
    }

    private mutating func inlines(depth: Int) -> [TextInline] {
        (0..<below(4) + 1).map { _ in inline(depth: depth) }
    }

    private mutating func inline(depth: Int) -> TextInline {
        switch below(depth < 3 ? 9 : 4) {
        case 0...2: .text(text())
        case 3: .lineBreak
        case 4: .strong(inlines(depth: depth + 1))
        case 5: .emphasis(inlines(depth: depth + 1))
        case 6: .strikethrough(inlines(depth: depth + 1))
        case 7: .code(word())
        default: .link([.text(text())], url: "https://x.example/\(below(9))")
        }
    }

    private mutating func text() -> String {
        (0..<below(6) + 1).map { _ in word() }.joined(separator: " ")
    }

    private mutating func word() -> String {
        let letters = ["a", "é", "e\u{301}", "漢", "👨‍👩‍👧‍👦", "x", "Z", "9"]
        return (0..<below(7) + 1).map { _ in letters[below(letters.count)] }.joined()
    }
}
