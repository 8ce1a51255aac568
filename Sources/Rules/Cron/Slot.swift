package import CEL

/// One time at which a schedule runs.
package struct Slot: Hashable, Sendable {
    /// The type of a slot's `SubjectID`.
    package static let subjectType = "slot"

    package var time: Timestamp
    /// It is run late: the bot was not there, or could not tell.
    package var missed: Bool

    package init(time: Timestamp, missed: Bool) {
        self.time = time
        self.missed = missed
    }

    /// The slot whose run has this subject; nil when it is no slot.
    package init?(_ subject: SubjectID) {
        guard subject.type == Self.subjectType, let time = try? Timestamp(parsing: subject.id) else { return nil }
        self.init(time: time, missed: false)
    }

    /// The slot as the subject of its run.
    package static func subject(_ time: Timestamp) -> SubjectID {
        SubjectID(type: subjectType, id: time.description)
    }

    /// The slot as the key of the runs that it has for the objects of a board.
    package var key: String { "slot:" + time.description + (missed ? " missed" : "") }

    /// Nil when it is the key of something else: keys of episodes begin with another word.
    package init?(key: String) {
        guard key.hasPrefix("slot:") else { return nil }
        let text = key.dropFirst(5)
        let missed = text.hasSuffix(" missed")
        guard let time = try? Timestamp(parsing: String(missed ? text.dropLast(7) : text)) else { return nil }
        self.init(time: time, missed: missed)
    }

    /// The slot as the variable of that name. `date` and `weekday` are those of the rule's zone.
    package static let type = ObjectType(
        "slot",
        [
            .init("time", .timestamp), .init("date", .string),
            .init("weekday", .string, knownValues: CivilDate.weekdayNames), .init("missed", .bool),
        ])

    package func value(in zone: String) -> Object {
        let day = Int(LocalClock.named(zone).local(time.seconds).flooredQuotient(86_400))
        let date = CivilDate(daysSinceEpoch: day)
        return Object(
            Self.type,
            [.timestamp(time), .string(date.text), .string(CivilDate.weekdayNames[date.weekday]), .bool(missed)])
    }
}
