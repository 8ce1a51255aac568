import AdapterKit

/// How words look on IRC.
struct Style: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let bold = Style(rawValue: 1)
    static let italic = Style(rawValue: 2)
    static let strikethrough = Style(rawValue: 4)
    static let code = Style(rawValue: 8)
    static let red = Style(rawValue: 16)
    static let green = Style(rawValue: 32)

    private static let reset = "\u{0F}"

    /// What switches from this style to another.
    func change(to other: Style) -> String {
        if self == other { return "" }
        // Marks of one kind switch on and off alike, and clients differ in what they know: so everything off first.
        return (isEmpty ? "" : Self.reset) + other.marks
    }

    private var marks: String {
        var marks = ""
        if contains(.bold) { marks += "\u{02}" }
        if contains(.italic) { marks += "\u{1D}" }
        if contains(.strikethrough) { marks += "\u{1E}" }
        if contains(.code) { marks += "\u{11}" }
        // Two digits: of one, a digit that follows in the text would become part.
        if contains(.red) { marks += "\u{03}04" }
        if contains(.green) { marks += "\u{03}03" }
        return marks
    }

    var hasColor: Bool { contains(.red) || contains(.green) }
}

/// Words of one look.
struct Span: Hashable, Sendable {
    var text: String
    var style: Style

    init(_ text: String, _ style: Style = []) {
        self.text = text
        self.style = style
    }
}

extension [Span] {
    /// The words alone.
    var plain: String { map(\.text).joined() }

    /// The words with the marks that make them look.
    var formatted: String {
        var text = ""
        var style = Style()
        for span in self where !span.text.isEmpty {
            text += style.change(to: span.style)
            // To a client a comma and digits behind a colour are a second colour.
            if span.style.hasColor, span.style != style, span.text.utf8.first == UInt8(ascii: ",") {
                text += "\u{02}\u{02}"
            }
            text += span.text
            style = span.style
        }
        return text
    }
}

extension String {
    /// The text without IRC's formatting and without anything else that steers: as a person reads it.
    var withoutFormatting: String {
        guard utf8.contains(where: { $0 < 0x20 }) else { return printableLine }
        var scalars = UnicodeScalarView()
        var rest = unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{03}":
                guard Self.skipDigits(&rest, isHexadecimal: false, atMost: 2) > 0, rest.first == "," else { continue }
                var behind = rest.dropFirst()
                if Self.skipDigits(&behind, isHexadecimal: false, atMost: 2) > 0 { rest = behind }
            case "\u{04}":
                _ = Self.skipDigits(&rest, isHexadecimal: true, atMost: 6)
            default: scalars.append(scalar)
            }
        }
        return String(scalars).printableLine
    }

    private static func skipDigits(
        _ rest: inout Substring.UnicodeScalarView, isHexadecimal: Bool, atMost count: Int
    ) -> Int {
        let digits = rest.prefix(count).prefix {
            isHexadecimal ? $0.properties.isASCIIHexDigit : ("0"..."9").contains($0)
        }
        rest = rest.dropFirst(digits.count)
        return digits.count
    }
}
