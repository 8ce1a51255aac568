/// Follows a line of Markdown from its beginning, to know whether a block could still begin: after blanks, and after the
/// markers of the blocks around it.
struct BlockStart {
    private enum State {
        case possible
        /// After digits, where a point or a parenthesis makes the number of an item.
        case inNumber
        case over
    }

    private var state = State.possible

    /// Takes the next byte of the author's.
    mutating func take(markup byte: UInt8) {
        switch (state, byte) {
        case (_, UInt8(ascii: "\n")):
            state = .possible
        case (.possible, UInt8(ascii: "0")...UInt8(ascii: "9")):
            state = .inNumber
        case (.inNumber, UInt8(ascii: "0")...UInt8(ascii: "9")):
            break
        case (.inNumber, UInt8(ascii: ".")), (.inNumber, UInt8(ascii: ")")):
            state = .possible
        case (.possible, _) where " >-+*=#".utf8.contains(byte):
            break
        default:
            state = .over
        }
    }

    /// Takes the next character of a value; true if it needs a backslash to not begin a block.
    mutating func takeAndTest(_ scalar: Unicode.Scalar) -> Bool {
        switch (state, scalar) {
        case (.possible, " "), (.inNumber, "0"..."9"):
            return false
        case (.possible, "0"..."9"):
            state = .inNumber
            return false
        case (.possible, "#"), (.possible, "-"), (.possible, "+"), (.possible, "="), (.inNumber, "."), (.inNumber, ")"):
            state = .over
            return true
        default:
            state = .over
            return false
        }
    }

    /// Something else came: no block begins on this line any more.
    mutating func end() {
        state = .over
    }
}
