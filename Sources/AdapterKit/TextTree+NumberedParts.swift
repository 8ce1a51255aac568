extension TextTree {
    /// Like `parts`, ready to be sent: of several, each begins with its number, `(1/3) `, and where something was left
    /// out, the last ends with how much and where to read it: `… +2.1 kB: https://…`.
    ///
    /// - Parameter url: Where all of it can be read; nil where nowhere. One that would leave little room is left out.
    public func numberedParts(
        atMost count: Int, of limit: Int, url: String? = nil, size: (TextTree) -> Int
    ) -> [TextTree] {
        if size(self) <= limit { return blocks.isEmpty ? [] : [self] }
        // What a number and an end need beside other text, by the longest of them.
        let divider = TextTree([.divider])
        let numberSize = count > 1 ? size(divider.beginning(with: "(\(count)/\(count)) ")) - size(divider) : 0
        func endSize(_ url: String?) -> Int { size(divider.ending(withOmitted: 999_949, url: url)) - size(divider) }
        let url = url.flatMap { limit - numberSize - endSize($0) >= limit / 4 ? $0 : nil }
        var cut = parts(atMost: count, of: limit - numberSize, size: size)
        if cut.omittedBytes > 0 { cut = parts(atMost: count, of: limit - numberSize - endSize(url), size: size) }
        if cut.omittedBytes > 0, !cut.parts.isEmpty {
            let last = cut.parts.removeLast()
            cut.parts.append(last.ending(withOmitted: cut.omittedBytes, url: url))
        }
        guard cut.parts.count > 1 else { return cut.parts }
        return cut.parts.enumerated().map { $1.beginning(with: "(\($0 + 1)/\(cut.parts.count)) ") }
    }

    private func beginning(with number: String) -> TextTree {
        switch blocks.first {
        case .paragraph(let inlines):
            TextTree([.paragraph([.text(number)] + inlines)] + blocks.dropFirst())
        case .heading(let level, let inlines):
            TextTree([.heading(level: level, [.text(number)] + inlines)] + blocks.dropFirst())
        default:
            TextTree([.paragraph([.text(String(number.dropLast()))])] + blocks)
        }
    }

    private func ending(withOmitted bytes: Int, url: String?) -> TextTree {
        let amount = TextInline.text("… +\(Self.amount(ofBytes: bytes))")
        let inlines = url.map { [amount, .text(": "), .link([.text($0)], url: $0)] } ?? [amount]
        return TextTree(blocks + [.paragraph(inlines)])
    }

    /// `812 B`, `2.1 kB`, `1.2 MB`.
    private static func amount(ofBytes count: Int) -> String {
        if count < 1000 { return "\(count) B" }
        let (unit, name) = count < 999_950 ? (1000, "kB") : (1_000_000, "MB")
        let tenths = count / (unit / 10)
        return "\(tenths / 10).\(tenths % 10) \(name)"
    }
}
