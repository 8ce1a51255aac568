import CEL
import Rules

enum ScheduleCommand: Command {
    private static let expression = Positional.required(
        "EXPR",
        "minute, hour, day, month, weekday as in a rule's schedule, or a word such as @daily; one argument: quote it")
    private static let timezone = Option(
        "timezone", "ZONE", "zone of the schedule, such as Europe/Berlin (default UTC)"
    ) {
        text throws(InvalidValue) in
        if let clock = LocalClock(text) { return (name: text, clock: clock) }
        let hint = NearMiss.hint(NearMiss.best(of: LocalClock.knownIdentifiers, for: text))
        throw InvalidValue("no time zone '\(text)'; zones are named like America/Chicago\(hint)")
    }
    private static let from = Option(
        "from", "TIME", "start after this time, such as 2026-10-09T12:00:00Z (default now)"
    ) {
        text throws(InvalidValue) in
        do throws(EvaluationError) {
            return try Timestamp(parsing: text)
        } catch {
            throw InvalidValue(error.message)
        }
    }
    private static let count = Option("count", "N", in: 1...1000, "how many times (default 5)")

    static let specification = CommandSpecification(
        "schedule", "show when a schedule runs next", positionals: [expression], options: [timezone, from, count],
        examples: [
            .init("schedule '0 9 * * mon-fri' --timezone America/Chicago", "The next five working days at nine."),
            .init(
                "schedule '30 2 * * *' --timezone Europe/Berlin --from 2026-03-28T12:00:00Z",
                "What summer time does to it."),
        ])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) throws -> ExitCode {
        let text = arguments[expression]
        let zone = try arguments[timezone] ?? ("UTC", .utc)
        let count = try arguments[count] ?? 5
        var time = try arguments[from] ?? context.now()
        let schedule = try parse(text, arguments)

        var times: [Timestamp] = []
        while times.count < count, let next = schedule.next(after: time, in: zone.name) {
            times.append(next)
            time = next
        }
        if context.isJSON {
            let entries = times.map { JSONOutput.object([("local", .string(zone.clock.text($0))), ("utc", "\($0)")]) }
            try context.output.writeLine(JSONOutput.array(entries).text)
        } else {
            var table = Table(["LOCAL", "UTC"])
            for time in times { table.add(zone.clock.text(time), "\(time)") }
            try context.output.write(table.text(context.output.resultPalette))
        }
        return .success
    }

    private static func parse(_ text: String, _ arguments: ParsedArguments) throws(UsageError) -> CronSchedule {
        do {
            return try CronSchedule(parsing: text)
        } catch {
            throw arguments.usageError("EXPR: \(error.message)")
        }
    }
}

extension LocalClock {
    /// What the wall shows at `time`, with its offset from UTC: `2026-10-12T09:00:00-05:00`.
    fileprivate func text(_ time: Timestamp) -> String {
        let offset = offset(at: time.seconds)
        let local = Timestamp(seconds: time.seconds + offset).description.dropLast()
        let (hours, rest) = offset.magnitude.quotientAndRemainder(dividingBy: 3600)
        // Before zones were invented, places were off by seconds too.
        let parts = rest % 60 == 0 ? [hours, rest / 60] : [hours, rest / 60, rest % 60]
        return local + (offset < 0 ? "-" : "+") + parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
