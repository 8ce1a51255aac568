extension String {
    /// Other people's text as one harmless line: line breaks and tabs become spaces, control characters and bidi overrides
    /// go.
    var onOneLine: String {
        var line = String.UnicodeScalarView()
        var afterReturn = false
        for scalar in unicodeScalars {
            defer { afterReturn = scalar == "\r" }
            switch scalar.value {
            case 0x0A where afterReturn: continue
            case 0x09, 0x0A...0x0D, 0x85, 0x2028, 0x2029: line.append(" ")
            default: if scalar.isPrintable { line.append(scalar) }
            }
        }
        return String(line)
    }

    /// The same where line breaks stay.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0 == "\n" || $0 == "\t" || $0.isPrintable }))
    }

    var droppingTrailingWhitespace: String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    var trimmed: String { String(drop(while: \.isWhitespace)).droppingTrailingWhitespace }
}

extension Unicode.Scalar {
    /// Neither a control character nor one that overrides the direction of writing.
    fileprivate var isPrintable: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: false
        default: true
        }
    }
}
