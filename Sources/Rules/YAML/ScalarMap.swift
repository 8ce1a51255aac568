/// Says where in the file a byte of a scalar's value was written.
///
/// The value and its source are walked side by side, by the rules of the scalar's style; where they should ever part, the
/// last place known to be right stands for the rest.
struct ScalarMap {
    /// For each byte of the value, and its end, a byte offset in the file.
    private var offsets: [Int] = []
    private let bytes: [UInt8]
    private let value: [UInt8]
    private let end: Int
    private var place: Int

    /// - Parameter range: the scalar in `bytes`, quotes or block header included.
    init(_ scalar: YAMLScalar, at range: Range<Int>, in bytes: [UInt8]) {
        self.bytes = bytes
        value = Array(scalar.text.utf8)
        end = range.upperBound
        place = range.lowerBound
        offsets.reserveCapacity(value.count + 1)
        skipAnchor()
        switch scalar.style {
        case .plain: walkLines()
        case .singleQuoted, .doubleQuoted:
            place += 1
            walkQuoted(isDouble: scalar.style == .doubleQuoted)
        case .literal: walkLiteral()
        case .folded: walkFolded()
        }
        while offsets.count <= value.count { offsets.append(min(place, end)) }
    }

    subscript(offset: Int) -> Int {
        offsets[min(max(offset, 0), offsets.count - 1)]
    }

    /// The part of the file that a part of the value was written as.
    subscript(range: Range<Int>) -> Range<Int> {
        let start = self[range.lowerBound]
        guard !range.isEmpty else { return start..<start }
        return start..<max(start + 1, self[range.upperBound - 1] + 1)
    }

    private var byte: UInt8? { place < end ? bytes[place] : nil }
    private var wanted: UInt8? { offsets.count < value.count ? value[offsets.count] : nil }

    private mutating func skipAnchor() {
        guard byte == UInt8(ascii: "&") else { return }
        while let byte, byte != 0x20, byte != UInt8(ascii: "\n") { place += 1 }
        while let byte, byte == 0x20 || byte == UInt8(ascii: "\n") { place += 1 }
    }

    /// The next byte of the value was written at `place`.
    private mutating func match() {
        offsets.append(place)
        place += 1
    }

    // MARK: - Plain and quoted

    private mutating func walkLines() {
        while let byte, wanted != nil {
            if isBlankBeforeBreak || byte == UInt8(ascii: "\n") { passBreaks() } else { match() }
        }
    }

    private mutating func walkQuoted(isDouble: Bool) {
        while let byte, wanted != nil {
            if isBlankBeforeBreak || byte == UInt8(ascii: "\n") {
                passBreaks()
            } else if isDouble, byte == UInt8(ascii: "\\") {
                passEscape()
            } else if !isDouble, byte == UInt8(ascii: "'") {
                match()
                place += 1
            } else {
                match()
            }
        }
    }

    /// White space that folding drops because nothing follows it on its line.
    private var isBlankBeforeBreak: Bool {
        var next = place
        while next < end, bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
        return next > place && next < end && bytes[next] == UInt8(ascii: "\n")
    }

    /// One line break is a space in the value, each further one a line break.
    private mutating func passBreaks() {
        let start = place
        var breaks = 0
        while let byte, byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: "\n") {
            if byte == UInt8(ascii: "\n") { breaks += 1 }
            place += 1
        }
        for _ in 0..<max(1, breaks - 1) where wanted != nil { offsets.append(start) }
    }

    private mutating func passEscape() {
        let start = place
        let kind = place + 1 < end ? bytes[place + 1] : 0
        if kind == UInt8(ascii: "\n") {
            // An escaped line break joins two lines without a space.
            place += 2
            while let byte, byte == 0x20 || byte == 0x09 { place += 1 }
            return
        }
        let digits = [UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8][kind] ?? 0
        place += 2 + digits
        var scalars = 1
        switch kind {
        case UInt8(ascii: "N"), UInt8(ascii: "_"): scalars = 2
        case UInt8(ascii: "L"), UInt8(ascii: "P"): scalars = 3
        default:
            if digits > 0 {
                let hexadecimal = String(decoding: bytes[min(start + 2, end)..<min(place, end)], as: UTF8.self)
                let scalar = UInt32(hexadecimal, radix: 16).flatMap(Unicode.Scalar.init)
                scalars = scalar.map { UTF8.width($0) } ?? 1
            }
        }
        for _ in 0..<scalars where wanted != nil { offsets.append(start) }
    }

    // MARK: - Blocks

    private mutating func skipHeader() {
        while let byte, byte != UInt8(ascii: "\n") { place += 1 }
        place += 1
    }

    /// Spaces that every line of the block begins with, which are not part of the value.
    private func indentation() -> Int {
        var line = place
        while line < end {
            var next = line
            while next < end, bytes[next] == 0x20 { next += 1 }
            if next < end, bytes[next] != UInt8(ascii: "\n") {
                let own = value.drop { $0 == UInt8(ascii: "\n") }.prefix { $0 == 0x20 }.count
                return max(0, next - line - own)
            }
            line = next + 1
        }
        return 0
    }

    private mutating func skipIndentation(_ count: Int) {
        var left = count
        while left > 0, byte == 0x20 {
            place += 1
            left -= 1
        }
    }

    private mutating func walkLiteral() {
        skipHeader()
        let indentation = indentation()
        skipIndentation(indentation)
        while let byte, wanted != nil {
            match()
            if byte == UInt8(ascii: "\n") { skipIndentation(indentation) }
        }
    }

    private mutating func walkFolded() {
        skipHeader()
        let indentation = indentation()
        skipIndentation(indentation)
        while let byte, wanted != nil {
            guard byte == UInt8(ascii: "\n") else {
                match()
                continue
            }
            let start = place
            var breaks = 0
            while self.byte == UInt8(ascii: "\n") {
                breaks += 1
                place += 1
                skipIndentation(indentation)
            }
            // Between lines of text one break is a space and of several one is dropped; beside lines that are indented
            // further, and at both ends, all are kept.
            if wanted == 0x20, breaks == 1 {
                offsets.append(start)
            } else {
                while breaks > 0, wanted == UInt8(ascii: "\n") {
                    offsets.append(start)
                    breaks -= 1
                }
            }
        }
    }
}
