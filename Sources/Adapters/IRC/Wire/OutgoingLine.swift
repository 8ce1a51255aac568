/// A line to the server. There is no other way to write one, and none of its parts can end it or begin another.
struct OutgoingLine: Hashable, Sendable {
    /// Why there is no such line.
    enum Refusal: Error, Hashable {
        /// CR, LF or NUL in a part.
        case lineEnd
        /// A parameter before the last that is empty, has a blank or begins with a colon.
        case middle
        case command
        /// More than a server has to take.
        case tooLong
    }

    /// All that is ever shown of it: the rest may be a password.
    let command: String
    /// With CR and LF.
    let bytes: [UInt8]
    /// A server is not to be kept waiting for it: neither counted nor held back.
    let isUnpaced: Bool

    /// - Parameters:
    ///   - label: The tag by which the server's answer says what it answers.
    ///   - text: The last parameter; may be anything without a line end.
    init(
        label: String? = nil, _ command: String, _ middles: [String] = [], text: String? = nil,
        limit: Int = ServerSupport.lineLength
    ) throws(Refusal) {
        guard !command.isEmpty, command.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else { throw .command }
        var line = Array(command.utf8)
        for middle in middles {
            guard
                let first = middle.utf8.first, first != UInt8(ascii: ":"), !middle.utf8.contains(0x20)
            else { throw .middle }
            line += [0x20] + Array(middle.utf8)
        }
        if let text { line += Array(" :".utf8) + Array(text.utf8) }
        guard line.count + 2 <= limit else { throw .tooLong }
        if let label {
            guard label.utf8.allSatisfy(Self.isLabel), !label.isEmpty, label.utf8.count <= 64 else { throw .middle }
            line = Array("@label=\(label) ".utf8) + line
        }
        guard !line.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else { throw .lineEnd }
        self.command = command
        bytes = line + [0x0D, 0x0A]
        isUnpaced = command == "PONG" || command == "QUIT"
    }

    private static func isLabel(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension OutgoingLine: CustomStringConvertible, CustomReflectable {
    var description: String { command }
    var customMirror: Mirror { Mirror(self, children: []) }
}
