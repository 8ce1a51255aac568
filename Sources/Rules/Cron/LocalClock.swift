import CEL
import Foundation

/// The wall clock of a zone. Only offsets come from Foundation: its search for dates is slow.
package struct LocalClock: Sendable {
    private let zone: TimeZone

    /// Nil when there is no zone of that name.
    package init?(_ identifier: String) {
        guard Self.isZone(identifier), let zone = TimeZone(identifier: identifier) else { return nil }
        self.zone = zone
    }

    private init() { zone = .gmt }

    package static let utc = LocalClock()

    /// The zone that the loader accepted; UTC for a name that it would have refused.
    static func named(_ identifier: String) -> LocalClock { LocalClock(identifier) ?? .utc }

    /// Area/City, `UTC` or `GMT`. Abbreviations (`CST`) mean different zones in different places.
    static func isZone(_ identifier: String) -> Bool {
        guard identifier == "UTC" || identifier == "GMT" || identifier.contains("/") else { return false }
        return TimeZone(identifier: identifier) != nil
    }

    package static var knownIdentifiers: [String] { TimeZone.knownTimeZoneIdentifiers + ["UTC"] }

    /// Seconds east of UTC.
    package func offset(at instant: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(instant))))
    }

    /// Local seconds: what the wall shows, counted as if it were UTC.
    func local(_ instant: Int64) -> Int64 { instant + offset(at: instant) }

    /// `CDT`, or `GMT+2` for a zone without a name of its own in English.
    func abbreviation(at instant: Int64) -> String {
        let date = Date(timeIntervalSince1970: TimeInterval(instant))
        let style: NSTimeZone.NameStyle = zone.isDaylightSavingTime(for: date) ? .shortDaylightSaving : .shortStandard
        return zone.localizedName(for: style, locale: Locale(identifier: "en_US")) ?? "UTC"
    }

    /// The first instant at which the wall shows `local`; right after the gap when it never does.
    func instant(ofLocal local: Int64) -> Int64 {
        LocalDay(local.flooredQuotient(86_400), clock: self).firstInstant(ofLocal: local)
    }
}

/// One day on the wall clock: when each local time of it happens.
///
/// A zone changes its offset at most once around any one day; where none changes, a local time happens exactly once.
struct LocalDay {
    private let before: Int64
    private let after: Int64
    /// The first instant with the offset `after`; nil without a change.
    private let change: Int64?

    init(_ daysSinceEpoch: Int64, clock: LocalClock) {
        // Offsets lie between -12 and +14 hours, and one zone once moved by a whole day.
        var low = daysSinceEpoch * 86_400 - 15 * 3_600
        var high = daysSinceEpoch * 86_400 + 37 * 3_600
        before = clock.offset(at: low)
        after = clock.offset(at: high)
        guard before != after else {
            change = nil
            return
        }
        while high - low > 1 {
            let middle = (low + high) / 2
            if clock.offset(at: middle) == before { low = middle } else { high = middle }
        }
        change = high
    }

    /// Every instant at which the wall shows `local`: none in a gap, two in an overlap.
    func instants(ofLocal local: Int64) -> [Int64] {
        guard let change else { return [local - before] }
        return [local - before].filter { $0 < change } + [local - after].filter { $0 >= change }
    }

    func firstInstant(ofLocal local: Int64) -> Int64 {
        guard let change else { return local - before }
        return local - before < change ? local - before : max(local - after, change)
    }

    /// The constant offset, when there is one.
    var offset: Int64? { change == nil ? before : nil }
}
