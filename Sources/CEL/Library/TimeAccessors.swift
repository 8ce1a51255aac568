/// The parts of timestamps, in UTC or a zone, and durations in a unit (langdef, "Timestamps and durations").
enum TimeAccessors {
    static let functions: [Function] = [
        accessor("getFullYear", documentation: "The year of a timestamp.") { $0.year },
        accessor("getMonth", documentation: "The month of a timestamp, 0 for January.") { $0.month - 1 },
        accessor("getDate", documentation: "The day of the month of a timestamp, from 1.") { $0.day },
        accessor("getDayOfMonth", documentation: "The day of the month of a timestamp, from 0.") { $0.day - 1 },
        accessor("getDayOfWeek", documentation: "The day of the week of a timestamp, 0 for Sunday.") { $0.dayOfWeek },
        accessor("getDayOfYear", documentation: "The day of the year of a timestamp, from 0.") { $0.dayOfYear - 1 },
        accessor(
            "getHours", documentation: "The hour of a timestamp, or the whole hours of a duration.",
            ofDuration: { $0 / 3_600 }, part: { $0.hour }),
        accessor(
            "getMinutes", documentation: "The minute of a timestamp, or the whole minutes of a duration.",
            ofDuration: { $0 / 60 }, part: { $0.minute }),
        accessor(
            "getSeconds", documentation: "The second of a timestamp, or the whole seconds of a duration.",
            ofDuration: { $0 }, part: { $0.second }),
        Function(
            "getMilliseconds",
            [
                .member { (timestamp: Timestamp) in Int64(timestamp.nanoseconds / 1_000_000) },
                .member { (timestamp: Timestamp, zone: String) throws(EvaluationError) in
                    _ = try TimeZoneOffsets.offset(in: zone, at: timestamp)
                    return Int64(timestamp.nanoseconds / 1_000_000)
                },
                .member { (duration: Duration) in duration.components.attoseconds / 1_000_000_000_000_000 },
            ], documentation: "The milliseconds within the second of a timestamp or a duration."),
    ]

    private static func accessor(
        _ name: String, documentation: String, ofDuration: (@Sendable (_ seconds: Int64) -> Int64)? = nil,
        part: @escaping @Sendable (CivilTime) -> Int
    ) -> Function {
        var overloads: [Overload] = [
            .member { (timestamp: Timestamp) in Int64(part(CivilTime(secondsSince1970: timestamp.seconds))) },
            .member { (timestamp: Timestamp, zone: String) throws(EvaluationError) in
                let offset = try TimeZoneOffsets.offset(in: zone, at: timestamp)
                return Int64(part(CivilTime(secondsSince1970: timestamp.seconds &+ offset)))
            },
        ]
        if let ofDuration {
            overloads.append(.member { (duration: Duration) in ofDuration(duration.components.seconds) })
        }
        return Function(name, overloads, documentation: documentation)
    }
}
