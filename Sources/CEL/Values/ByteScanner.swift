/// Reads short ASCII formats from the front of a text.
struct ByteScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { position == bytes.count }

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Takes the next byte when it is one of these.
    mutating func take(_ wanted: Unicode.Scalar...) -> Bool {
        guard let next, wanted.contains(Unicode.Scalar(next)) else { return false }
        position += 1
        return true
    }

    /// Takes exactly `count` digits.
    mutating func digits(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Takes the next byte when it is a digit.
    mutating func digit() -> Int? {
        guard let next, (0x30...0x39).contains(next) else { return nil }
        position += 1
        return Int(next) - 0x30
    }

    /// Takes any number of digits, at least one. What does not fit counts as the largest number.
    mutating func number() -> Int64? {
        guard var value = digit().map(Int64.init) else { return nil }
        while let digit = digit() {
            let (scaled, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isSumTooLarge) = scaled.addingReportingOverflow(Int64(digit))
            value = isTooLarge || isSumTooLarge ? .max : sum
        }
        return value
    }

    /// Takes the digits after a point, at least one, and returns them as a multiple of 10^-`places`; cuts off the rest.
    mutating func fraction(places: Int) -> Int64? {
        guard var value = digit().map(Int64.init) else { return nil }
        var taken = 1
        while let digit = digit() {
            guard taken < places else { continue }
            value = value * 10 + Int64(digit)
            taken += 1
        }
        for _ in taken..<places { value *= 10 }
        return value
    }
}
