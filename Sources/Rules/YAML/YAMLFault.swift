/// One of libyaml's complaints, in words that say what to write instead, and what to take out to get on.
struct YAMLFault {
    let message: String
    let range: Range<Int>
    /// The bytes that cannot be read: of a value, or else of a line.
    let damage: Range<Int>
    let isValue: Bool

    init(_ error: YAMLSyntaxError, in bytes: [UInt8]) {
        let lines = YAMLLines(bytes)
        let problem = min(error.offset, max(0, bytes.count - 1))
        let isAtEnd = problem >= bytes.count - 1 || bytes[problem] == UInt8(ascii: "\n")
        let isFarAway =
            error.contextOffset.map { isAtEnd || lines.number(at: $0) != lines.number(at: problem) } ?? false
        let isUnclosed =
            error.context.contains("quoted scalar") || error.context.contains("flow") && isFarAway
        let place = isUnclosed ? error.contextOffset ?? problem : problem
        let line = lines.line(at: place)
        let own = lines.field(in: line, at: place)

        if let outer = isUnclosed ? nil : lines.fieldContinued(by: line) {
            message =
                "this line is read as more of '\(outer.name)': check how far it is indented, or quote the value, "
                + "or use `|`"
            range = place..<(place + 1)
            damage = outer.value.lowerBound..<line.upperBound
            isValue = true
        } else if let own, !own.value.isEmpty {
            let words = Self.words(for: error, value: bytes[own.value], at: place, isUnclosed: isUnclosed)
            message = (own.name.isEmpty ? "" : "'\(own.name)': ") + words.text
            let start = words.isAboutStart ? own.value.lowerBound : place
            range = start..<(start + 1)
            damage = own.value
            isValue = true
        } else {
            let isTab = place < bytes.count && bytes[place] == UInt8(ascii: "\t")
            message = isTab ? "a tab cannot indent: use spaces" : "\(error.problem): check how far this is indented"
            range = place..<min(place + 1, bytes.count)
            damage = line
            isValue = false
        }
    }

    private static func words(
        for error: YAMLSyntaxError, value: ArraySlice<UInt8>, at place: Int, isUnclosed: Bool
    ) -> (text: String, isAboutStart: Bool) {
        let first = value.first.map { String(UnicodeScalar($0)) } ?? ""
        let way = "quote it, or use `|`"
        if ["[", "{"].contains(first), place > value.startIndex, value.indices.contains(place) {
            let here = String(UnicodeScalar(value[place]))
            if ["@", "`", "%"].contains(here) { return ("'\(here)' cannot begin a plain value: quote it", false) }
            if error.context.contains("flow"), !isUnclosed {
                return ("\(error.problem): look at the commas and brackets, and quote texts", false)
            }
        }
        switch first {
        case "\"", "'":
            return isUnclosed
                ? ("the quote that opens here is never closed", true)
                : ("there is more after the closing quote: put all of it in quotes, or use `|`", false)
        case "{" where value.dropFirst().first == UInt8(ascii: "{"):
            return ("'{{ … }}' without quotes is a map to YAML: \(way)", true)
        case "[", "{":
            return isUnclosed
                ? ("the '\(first)' that opens here is never closed", true)
                : ("'\(first)' begins a \(first == "[" ? "list" : "map") in YAML: \(way)", true)
        case "@", "`", "%": return ("'\(first)' cannot begin a plain value: \(way)", true)
        case "*", "&", "!": return ("'\(first)' has a meaning of its own in YAML: \(way)", true)
        case "|", ">": return ("the text begins in the line after '\(first)'", true)
        default:
            return error.problem.contains("mapping values")
                ? ("': ' cannot stand in a plain value: \(way)", false) : ("\(error.problem): \(way)", false)
        }
    }
}

/// A text cut into lines that look like `key: value`, for when the structure cannot be trusted.
private struct YAMLLines {
    struct Field {
        /// Empty for an item of a list that no key leads to.
        var name: String
        /// From the first byte of the value to the end of its line; empty when there is none.
        var value: Range<Int>
    }

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func number(at offset: Int) -> Int {
        bytes[..<min(offset, bytes.count)].count { $0 == UInt8(ascii: "\n") }
    }

    func line(at offset: Int) -> Range<Int> {
        let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return start..<(bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count)
    }

    /// The key and value of a line, if the value is what holds `offset`.
    func field(in line: Range<Int>, at offset: Int) -> Field? {
        var start = afterDashes(line)
        var name = ""
        if let key = key(at: start, in: line) {
            name = key.name
            start = key.end
        } else if start == indentation(line) {
            return nil
        } else {
            name = leadingKey(above: line) ?? ""
        }
        let value = skipSpaces(start, line)..<line.upperBound
        return offset >= value.lowerBound ? Field(name: name, value: value) : nil
    }

    /// The plain value that YAML takes a deeper line to go on with.
    func fieldContinued(by line: Range<Int>) -> Field? {
        let indentation = indentation(line) - line.lowerBound
        var above = line
        while above.lowerBound > 0 {
            above = self.line(at: above.lowerBound - 1)
            let start = skipSpaces(above.lowerBound, above)
            if start == above.upperBound || bytes[start] == UInt8(ascii: "#") { continue }
            let column = afterDashes(above) - above.lowerBound
            if column >= indentation { continue }
            guard let key = key(at: afterDashes(above), in: above) else { return nil }
            let value = skipSpaces(key.end, above)..<above.upperBound
            let leaders = Array("|>\"'[{#&*!".utf8)
            guard let first = bytes[value].first, !leaders.contains(first) else { return nil }
            return Field(name: key.name, value: value)
        }
        return nil
    }

    private func leadingKey(above line: Range<Int>) -> String? {
        var above = line
        while above.lowerBound > 0 {
            above = self.line(at: above.lowerBound - 1)
            guard indentation(above) - above.lowerBound <= indentation(line) - line.lowerBound,
                let key = key(at: afterDashes(above), in: above)
            else { continue }
            return key.name
        }
        return nil
    }

    private func key(at start: Int, in line: Range<Int>) -> (name: String, end: Int)? {
        var end = start
        while end < line.upperBound, bytes[end].isKeyByte { end += 1 }
        guard end > start, end < line.upperBound, bytes[end] == UInt8(ascii: ":"),
            end + 1 == line.upperBound || bytes[end + 1] == 0x20
        else { return nil }
        return (String(decoding: bytes[start..<end], as: UTF8.self), end + 1)
    }

    private func indentation(_ line: Range<Int>) -> Int { skipSpaces(line.lowerBound, line) }

    private func afterDashes(_ line: Range<Int>) -> Int {
        var start = indentation(line)
        while start + 1 < line.upperBound, bytes[start] == UInt8(ascii: "-"), bytes[start + 1] == 0x20 {
            start = skipSpaces(start + 1, line)
        }
        return start
    }

    private func skipSpaces(_ start: Int, _ line: Range<Int>) -> Int {
        bytes[start..<line.upperBound].firstIndex { $0 != 0x20 } ?? line.upperBound
    }
}

extension UInt8 {
    fileprivate var isKeyByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
