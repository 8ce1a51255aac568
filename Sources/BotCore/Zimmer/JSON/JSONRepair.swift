/// Rewrites what the parser refuses a whole text for, value by value. One pass, linear.
///
/// - An unpaired surrogate (`\ud800`) becomes U+FFFD, as does a byte sequence that is not UTF-8.
/// - A number that neither 64 bits nor a double can hold becomes a string of its digits: a wrong type, so whoever reads
///   it cannot take it for a value.
/// - What JSON has no word for (`NaN`, `Infinity`) becomes a string, for the same reason.
/// - A control character inside a string becomes an escape, outside a space; a byte order mark is left out.
///
/// Anything else that is wrong stays, for the parser to refuse.
enum JSONRepair {
    /// Nil when there was nothing to repair.
    static func repaired(_ text: [UInt8]) -> [UInt8]? {
        var scanner = Scanner(valid(text))
        scanner.run()
        return scanner.output == text ? nil : scanner.output
    }

    private static func valid(_ text: [UInt8]) -> [UInt8] {
        let withoutMark = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
        if String(validating: withoutMark, as: UTF8.self) != nil { return withoutMark }
        return Array(String(decoding: withoutMark, as: UTF8.self).utf8)
    }

    private struct Scanner {
        private let input: [UInt8]
        private var index = 0
        private(set) var output: [UInt8] = []

        init(_ input: [UInt8]) {
            self.input = input
            output.reserveCapacity(input.count + 64)
        }

        mutating func run() {
            while index < input.count {
                switch input[index] {
                case UInt8(ascii: "\""): string()
                case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): number()
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): word()
                case 0..<0x20 where !Self.isSpace(input[index]):
                    output.append(UInt8(ascii: " "))
                    index += 1
                default: copy(1)
                }
            }
        }

        private mutating func copy(_ count: Int) {
            output.append(contentsOf: input[index..<min(index + count, input.count)])
            index += count
        }

        private mutating func string() {
            copy(1)
            while index < input.count {
                switch input[index] {
                case UInt8(ascii: "\""): return copy(1)
                case UInt8(ascii: "\\"): escape()
                case let control where control < 0x20:
                    output.append(contentsOf: "\\u00\(control < 16 ? "0" : "")\(String(control, radix: 16))".utf8)
                    index += 1
                default: copy(1)
                }
            }
        }

        private mutating func escape() {
            guard let unit = codeUnit(at: index) else { return copy(2) }
            if UTF16.isLeadSurrogate(unit), let next = codeUnit(at: index + 6), UTF16.isTrailSurrogate(next) {
                copy(12)
            } else if UTF16.isSurrogate(unit) {
                output.append(contentsOf: "\\ufffd".utf8)
                index += 6
            } else {
                copy(6)
            }
        }

        /// The value of the `\uXXXX` that begins at `start`; nil when none does.
        private func codeUnit(at start: Int) -> UInt16? {
            guard start + 6 <= input.count, input[start] == UInt8(ascii: "\\"), input[start + 1] == UInt8(ascii: "u")
            else {
                return nil
            }
            let digits = input[(start + 2)..<(start + 6)]
            guard digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
            return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        }

        private static func isSpace(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
        }

        private mutating func word() {
            var end = index
            while end < input.count, Self.isInWord(input[end]) { end += 1 }
            let isNoNumber = ["NaN", "Infinity"].contains { input[index..<end].elementsEqual($0.utf8) }
            if isNoNumber { output.append(UInt8(ascii: "\"")) }
            copy(end - index)
            if isNoNumber { output.append(UInt8(ascii: "\"")) }
        }

        private static func isInWord(_ byte: UInt8) -> Bool {
            ASCII.isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= ASCII.lowercase(byte)
        }

        private mutating func number() {
            // `-Infinity`
            if input[index...].starts(with: "-I".utf8) {
                index += 1
                return word()
            }
            var end = index
            while end < input.count, Self.isInNumber(input[end]) { end += 1 }
            let isHeld = Self.isHeld(input[index..<end])
            if !isHeld { output.append(UInt8(ascii: "\"")) }
            copy(end - index)
            if !isHeld { output.append(UInt8(ascii: "\"")) }
        }

        private static func isInNumber(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }

        private static func isHeld(_ digits: ArraySlice<UInt8>) -> Bool {
            let isInteger = digits.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
            guard digits.count > (isInteger ? 18 : 4) else { return true }
            let text = String(decoding: digits, as: UTF8.self)
            if isInteger { return Int64(text) != nil || UInt64(text) != nil }
            return Double(text).map(\.isFinite) ?? true  // not a number at all: left for the parser to refuse
        }
    }
}
