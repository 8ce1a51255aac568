// Parts of timestamps and durations, in UTC or another zone (langdef, "Timezones").
extension Library {
    private typealias Part = @Sendable (Timestamp, _ offset: Int) -> Int

    static let time: [Function] = parts.map { name, summary, part in
        var overloads: [Overload] = [
            .unary(.timestamp, returns: .int) { time, _ throws(EvaluationError) in
                .int(Int64(part(try time.timestamp, 0)))
            },
            .binary(.timestamp, .string, returns: .int) { time, zone, budget throws(EvaluationError) in
                try budget.charge(10)
                let time = try time.timestamp
                return .int(Int64(part(time, try Zone(try zone.string).offset(at: time))))
            },
        ]
        if let scale = durationParts[name] {
            overloads.append(
                .unary(.duration, returns: .int) { duration, _ throws(EvaluationError) in
                    .int(scale(try duration.nanoseconds))
                })
        }
        return Function(name, summary: summary, overloads.asMembers)
    }

    /// A constant zone is looked up once.
    static let zonePreparations: [String: Preparation] = Dictionary(
        uniqueKeysWithValues: parts.map { name, _, part in
            let preparation: Preparation = { @Sendable name throws(EvaluationError) in
                guard case .string(let name) = name else { return nil }
                let zone = try Zone(name)
                let overload = Overload.unary(.timestamp, returns: .int) { time, _ throws(EvaluationError) in
                    let time = try time.timestamp
                    return .int(Int64(part(time, zone.offset(at: time))))
                }
                return Prepared(overload: overload)
            }
            return (name, preparation)
        })

    private static let parts: [(String, String, Part)] = [
        ("getFullYear", "The year", { $0.civil(offset: $1).date.year }),
        ("getMonth", "The month, 0 for January", { $0.civil(offset: $1).date.month - 1 }),
        ("getDate", "The day of the month, 1 for the first", { $0.civil(offset: $1).date.day }),
        ("getDayOfMonth", "The day of the month, 0 for the first", { $0.civil(offset: $1).date.day - 1 }),
        ("getDayOfYear", "The day of the year, 0 for the first", { $0.civil(offset: $1).date.dayOfYear }),
        (
            "getDayOfWeek", "The day of the week, 0 for Sunday",
            { ($0.civil(offset: $1).date.daysSince1970 % 7 + 11) % 7 }
        ),
        (
            "getHours", "The hour of the day, or the whole hours of a duration",
            { $0.civil(offset: $1).secondOfDay / 3_600 }
        ),
        (
            "getMinutes", "The minute of the hour, or the whole minutes of a duration",
            { $0.civil(offset: $1).secondOfDay / 60 % 60 }
        ),
        (
            "getSeconds", "The second of the minute, or the whole seconds of a duration",
            { $0.civil(offset: $1).secondOfDay % 60 }
        ),
        ("getMilliseconds", "The milliseconds of the second", { time, _ in Int(time.nanoseconds) / 1_000_000 }),
    ]

    /// What some of them mean for a duration, from its nanoseconds.
    private static let durationParts: [String: @Sendable (Int64) -> Int64] = [
        "getHours": { $0 / 3_600_000_000_000 },
        "getMinutes": { $0 / 60_000_000_000 },
        "getSeconds": { $0 / 1_000_000_000 },
        "getMilliseconds": { $0 / 1_000_000 % 1_000 },
    ]
}

extension Value {
    fileprivate var timestamp: Timestamp {
        get throws(EvaluationError) {
            guard case .timestamp(let time) = self else { throw wrongType }
            return time
        }
    }

    fileprivate var nanoseconds: Int64 {
        get throws(EvaluationError) {
            guard case .duration(let duration) = self else { throw wrongType }
            guard let nanoseconds = duration.wholeNanoseconds else {
                throw EvaluationError(.overflow, "the duration is longer than 292 years")
            }
            return nanoseconds
        }
    }
}
