import Foundation

/// A time zone by its name, `America/Chicago`, or by its distance from UTC, `-06:00`.
struct Zone: Sendable {
    private enum Kind {
        case fixed(Int)
        case named(TimeZone)
    }

    private let kind: Kind

    init(_ name: String) throws(EvaluationError) {
        if let offset = Zone.fixedOffset(name) {
            kind = .fixed(offset)
        } else if name.utf8.count <= 64, let zone = TimeZone(identifier: name) {
            kind = .named(zone)
        } else {
            throw EvaluationError(
                .invalidArgument, "'\(name.prefix(40))' is no time zone, which looks like America/Chicago or -06:00")
        }
    }

    /// Seconds east of UTC.
    func offset(at time: Timestamp) -> Int {
        switch kind {
        case .fixed(let offset): offset
        case .named(let zone):
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(time.seconds)))
        }
    }

    /// `+02:00`, `-02:30`, `02:00`, or `UTC`.
    private static func fixedOffset(_ name: String) -> Int? {
        if name == "UTC" { return 0 }
        var scanner = ByteScanner(name)
        let sign = scanner.skip("-") ? -1 : 1
        if sign == 1 { _ = scanner.skip("+") }
        guard let hours = scanner.digits(2), scanner.skip(":"), let minutes = scanner.digits(2), scanner.isAtEnd,
            hours < 24, minutes < 60
        else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }
}
