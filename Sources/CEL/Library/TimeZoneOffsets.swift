// Named zones need all of Foundation: FoundationEssentials does not know them.
import Foundation
import Synchronization

/// How far civil time is ahead of UTC in a zone that an expression names.
enum TimeZoneOffsets {
    /// Zones by name, the first thousand that were asked for and exist.
    private static let known = Mutex<[String: TimeZone]>([:])

    /// Seconds east of Greenwich at `timestamp`, in an IANA zone (`Europe/Berlin`) or at a fixed offset (`+02:00`).
    static func offset(in zone: String, at timestamp: Timestamp) throws(EvaluationError) -> Int64 {
        if zone.hasSameCodePoints(as: "UTC") { return 0 }
        if let fixed = fixedOffset(zone) { return fixed }
        guard let named = named(zone) else {
            throw EvaluationError(
                .invalidArgument, "'\(zone.prefix(64))' is neither a time zone such as Europe/Berlin nor an offset")
        }
        return Int64(named.secondsFromGMT(for: Date(timeIntervalSince1970: Double(timestamp.seconds))))
    }

    private static func named(_ zone: String) -> TimeZone? {
        if let zone = known.withLock({ $0[zone] }) { return zone }
        guard zone.utf8.count <= 64, let found = TimeZone(identifier: zone) else { return nil }
        known.withLock { if $0.count < 1_000 { $0[zone] = found } }
        return found
    }

    /// The offset that `+02:00`, `-08:30` or `02:00` stands for.
    private static func fixedOffset(_ text: String) -> Int64? {
        var scanner = ByteScanner(text)
        let isWest = scanner.take("-")
        if !isWest { _ = scanner.take("+") }
        guard let hours = scanner.digits(2), hours < 24, scanner.take(":"), let minutes = scanner.digits(2),
            minutes < 60, scanner.isAtEnd
        else { return nil }
        return Int64((isWest ? -1 : 1) * (hours * 3_600 + minutes * 60))
    }
}
