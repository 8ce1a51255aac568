import CEL

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

extension Duration {
    var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
