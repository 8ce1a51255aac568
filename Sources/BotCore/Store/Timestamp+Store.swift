package import CEL

extension Timestamp {
    /// As the store keeps it: microseconds since 1970.
    var microseconds: Int64 {
        seconds * 1_000_000 + Int64(nanoseconds) / 1_000
    }

    init(microseconds: Int64) {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let seconds = remainder < 0 ? quotient - 1 : quotient
        let rest = remainder < 0 ? remainder + 1_000_000 : remainder
        self.init(seconds: seconds, nanoseconds: Int32(rest) * 1_000)
    }
}

extension Timestamp: DatabaseValue {
    /// From year 1 to 9999.
    private static let sound: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999

    /// Nil for what is no instant that this program may have stored.
    init?(stored microseconds: Int64) {
        guard Self.sound.contains(microseconds) else { return nil }
        self.init(microseconds: microseconds)
    }

    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        microseconds.bind(to: statement, at: index)
    }

    package static func read(from statement: OpaquePointer, at column: Int32) -> Timestamp {
        Timestamp(microseconds: .read(from: statement, at: column))
    }

    package static func isSound(_ statement: OpaquePointer, at column: Int32) -> Bool {
        sound.contains(.read(from: statement, at: column))
    }
}

extension Duration {
    var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
