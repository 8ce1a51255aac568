package import CEL

/// One time of a schedule, as a rule sees it under the name `slot`: the slot, not the moment at which it runs.
package struct Slot: Sendable {
    package var time: Timestamp
    /// It runs later than it should: the bot was not running, or could not tell.
    package var missed: Bool
    package var value: Object

    package init(_ time: Timestamp, missed: Bool, in zone: String) {
        self.time = time
        self.missed = missed
        let day = Int(LocalClock.named(zone).local(time.seconds).flooredQuotient(86_400))
        value = Object(
            Self.type,
            [
                .timestamp(time), .string(CivilDate(daysSinceEpoch: day).text),
                .string(CivilDate.weekdayNames[CivilDate.weekday(day)]), .bool(missed),
            ])
    }

<<<<<<< HEAD
    /// `slot`: `date` and `weekday` are those of the rule's zone.
=======
    /// The slot whose run has this subject; nil when it is no slot.
    package init?(_ subject: SubjectID) {
        guard subject.type == Self.subjectType, let seconds = Int64(subject.id) else { return nil }
        self.init(time: Timestamp(seconds: seconds), missed: false)
    }

    /// The slot as the subject of its run.
    package static func subject(_ time: Timestamp) -> SubjectID {
        SubjectID(type: subjectType, id: String(time.seconds))
    }

    /// The slot as the variable of that name. `date` and `weekday` are those of the rule's zone.
>>>>>>> 369110080f6af40cfa6323d52940f8321fe75764
    package static let type = ObjectType(
        subjectType,
        [
<<<<<<< HEAD
            ObjectType.Field("time", .timestamp),
            ObjectType.Field("date", .string),
            ObjectType.Field("weekday", .string, knownValues: CivilDate.weekdayNames),
            ObjectType.Field("missed", .bool),
        ])

    package static let subjectType = "slot"

    /// How a slot is named where subjects are.
    package static func subject(_ time: Timestamp) -> SubjectID {
        SubjectID(type: subjectType, id: time.description)
    }

    /// The slot whose run has this subject; nil when it is none.
    package init?(_ subject: SubjectID, in zone: String) {
        guard subject.type == Self.subjectType, let time = try? Timestamp(parsing: subject.id) else { return nil }
        self.init(time, missed: false, in: zone)
=======
            .init("time", .timestamp), .init("date", .string),
            .init("weekday", .string, knownValues: CivilDate.weekdayNames), .init("missed", .bool),
        ])

    package func value(in zone: String) -> Object {
        let day = Int(LocalClock.named(zone).local(time.seconds).flooredQuotient(86_400))
        let date = CivilDate(daysSinceEpoch: day)
        return Object(
            Self.type,
            [.timestamp(time), .string(date.text), .string(CivilDate.weekdayNames[date.weekday]), .bool(missed)])
>>>>>>> 369110080f6af40cfa6323d52940f8321fe75764
    }
}
