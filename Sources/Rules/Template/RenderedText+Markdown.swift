extension RenderedText {
    /// CommonMark: the author's markup as written, everything else with a backslash before each character that could be
    /// read as markup where it stands.
    package var markdown: String {
        var text = ""
        for (index, segment) in segments.enumerated() {
            switch segment {
            case .markup(let markup):
                let following = index + 1 < segments.count ? segments[index + 1] : nil
                if case .items = index > 0 ? segments[index - 1] : nil, markup.continuesList(before: following) {
                    text += "\n"
                }
                text += markup
            case .inline(let inline):
                let following = index + 1 < segments.count ? segments[index + 1] : nil
                text += inline.markdown(
                    atLineStart: text.endsAtLineStart, beforeBracket: following?.startsWithBracket ?? false)
            case .items(let items):
                text += items.map { item in
                    item.reduce(into: "- ") { $0 += $1.markdown(atLineStart: $0 == "- ", beforeBracket: false) }
                }.joined(separator: "\n")
            }
        }
        return text
    }
}

extension RenderedText.Segment {
    fileprivate var startsWithBracket: Bool {
        switch self {
        case .markup(let text), .inline(.markdown(let text)): text.first == "["
        case .inline(.link): true
        case .inline(.text), .items: false
        }
    }
}

extension String {
    /// After a list's last item, a line of text would be read as part of that item, also one that begins with a value.
    fileprivate func continuesList(before following: RenderedText.Segment?) -> Bool {
        guard first == "\n" else { return false }
        if let next = dropFirst().first { return next != "\n" }
        if case .inline = following { return true }
        return false
    }

    /// Nothing but spaces and markers of blocks since the line began, so that what follows could begin a block.
    fileprivate var endsAtLineStart: Bool {
        for byte in utf8.reversed() {
            switch byte {
            case UInt8(ascii: "\n"): return true
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ">"), UInt8(ascii: "#"), UInt8(ascii: "-"),
                UInt8(ascii: "+"), UInt8(ascii: "*"), UInt8(ascii: "."), UInt8(ascii: ")"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                continue
            default: return false
            }
        }
        return true
    }
}

extension RenderedText.Inline {
    fileprivate func markdown(atLineStart: Bool, beforeBracket: Bool) -> String {
        switch self {
        case .markdown(let text): text
        case .text(let text): text.escapedMarkdown(atLineStart: atLineStart, beforeBracket: beforeBracket)
        case .link(let text, let url):
            "[\(text.escapedMarkdown(atLineStart: false, beforeBracket: false))](\(url.escapedDestination))"
        }
    }
}

extension String {
    /// - Complexity: O(n).
    fileprivate func escapedMarkdown(atLineStart: Bool, beforeBracket: Bool) -> String {
        let source = Array((atLineStart ? self[...].drop { $0 == " " } : self[...]).unicodeScalars)
        var escaped = String.UnicodeScalarView()
        if atLineStart, let position = source.blockMarker {
            escaped.append(contentsOf: source[..<position])
            escaped.append("\\")
            escaped.append(source[position])
        }
        for index in escaped.isEmpty ? source.indices : source.indices.dropFirst(escaped.count - 1) {
            switch source[index] {
            case "\\", "`", "*", "_", "[", "]", "<", "~": escaped.append("\\")
            case "&" where source.isEntity(at: index): escaped.append("\\")
            case "!" where beforeBracket && index == source.count - 1: escaped.append("\\")
            default: break
            }
            escaped.append(source[index])
        }
        return String(escaped)
    }

    /// An address between parentheses; what could end it is percent-encoded.
    fileprivate var escapedDestination: String {
        unicodeScalars.map { scalar in
            switch scalar {
            case "(", ")", "<", ">", "\\", "\"", "`", "*", "_", "[", "]", "~":
                "%" + String(scalar.value, radix: 16, uppercase: true)
            default: String(scalar)
            }
        }.joined()
    }
}

extension [Unicode.Scalar] {
    /// Where a backslash keeps this text from beginning a heading, a quote, a list or an underline.
    fileprivate var blockMarker: Int? {
        guard let first else { return nil }
        switch first {
        case "#", "+", "-", ">", "=": return 0
        case "0"..."9":
            let digits = prefix { ("0"..."9").contains($0) }.count
            guard digits < count, digits <= 9, self[digits] == "." || self[digits] == ")" else { return nil }
            return digits + 1 == count || self[digits + 1] == " " ? digits : nil
        default: return nil
        }
    }

    /// `&name;` or `&#1;`, or what could become one with the text that follows.
    fileprivate func isEntity(at index: Int) -> Bool {
        let name = self[(index + 1)...].prefix(33).prefix {
            $0 == "#" || $0.properties.isAlphabetic || ("0"..."9").contains($0)
        }
        guard !name.isEmpty else { return false }
        let end = index + 1 + name.count
        return end == count || self[end] == ";"
    }
}
