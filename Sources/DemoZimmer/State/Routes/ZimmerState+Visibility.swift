private import Foundation

extension ZimmerState {
    /// Snooze, hide, show: what boards draw, and nothing else.
    mutating func setVisibility(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        guard let visibility = call.text("visibility").flatMap(Session.Visibility.init(rawValue:)) else {
            throw .badVisibility("Visibility must be visible, hidden or snoozed")
        }
        let until = visibility == .snoozed ? try snoozeEnd(call) : nil
        edit(session.id) { session in
            session.visibility = visibility
            session.snoozedUntil = until
        }
        // Nothing is written when a snooze ends; only the reading of it changes.
        if let until { agenda.plan(.snoozeEnds(session: session.id), at: until) }
        return answer(session.id)
    }

    /// `snoozed_until` is wall-clock time in `timezone`: an offset would contradict it, so it is refused.
    private func snoozeEnd(_ call: Call) throws(Refusal) -> ServerTime {
        guard let text = call.text("snoozed_until") else { throw .badVisibility("Snoozed until can't be blank") }
        let zoneName = call.text("timezone") ?? "UTC"
        guard let zone = TimeZone(identifier: zoneName) else { throw .badVisibility("Timezone is unknown") }
        guard let civil = CivilTime(text), text.contains("T") || text.contains(" ") else {
            throw .badVisibility("Snoozed until is not a time")
        }
        if let offset = civil.offsetSeconds, offset != 0 || zoneName != "UTC" || !text.hasSuffix("Z") {
            throw .badVisibility("Snoozed until must not carry an offset")
        }
        let until = ServerTime(civil, in: zone)
        guard until > now else { throw .badVisibility("Snoozed until must be in the future") }
        return until
    }
}

extension ServerTime {
    /// Wall-clock time in a zone. In a gap or an overlap of the zone one of the two readings is taken.
    fileprivate init(_ civil: CivilTime, in zone: TimeZone) {
        let asIfUTC = ServerTime(civil, offsetSeconds: 0)
        func offset(at time: ServerTime) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.millisecondsSince1970) / 1000))
        }
        let near = asIfUTC - .seconds(offset(at: asIfUTC))
        self = asIfUTC - .seconds(offset(at: near))
    }
}

extension Refusal {
    fileprivate static func badVisibility(_ message: String) -> Refusal {
        .unprocessable("Visibility update failed", message)
    }
}
