import AdapterKit
import BotCore
import CEL
import Rules

enum AgendaCommand: Command {
    private static let days = Option("days", "N", in: 1...366, "how far to look ahead; 14 if left out")

    static let specification = CommandSpecification(
        "agenda", "show what comes due, and what is held",
        discussion: """
            Slots of schedules, timers of rules, waits, retries, messages that are held, and what waits for a limit or a
            person. Read from the state of the bot, as its rules are in force; times are those of each rule's zone.
            """,
        options: [days],
        examples: [.init("agenda --days 1", "The next 24 hours.")])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) throws -> ExitCode {
        let now = context.now()
        let end = now + .seconds(86_400 * Int64(try arguments[days] ?? 14))
        let agenda = try StateReader(try context.existingStateDirectory()).agenda(now: now, upTo: end)
        if context.isJSON {
            try context.output.writeLine(agenda.json(now: now).text)
        } else {
            try context.output.write(agenda.text(context.output.resultPalette, now: now))
        }
        return .success
    }
}

extension Agenda {
    fileprivate func text(_ palette: Palette, now: Timestamp) -> String {
        var text = ""
        if !items.isEmpty {
            var table = Table(["WHEN", "", "WHAT", "RULE", "SUBJECT", ""])
            for item in items {
                table.add(
                    "\(item.at.minuteText(in: item.timeZone)) \(item.timeZone)", item.at < now ? "overdue" : "",
                    item.kind.rawValue, item.rule ?? "", item.subject?.description ?? "", item.detail)
            }
            text += table.text(palette)
        }
        for rest in more { text += "\(rest.rule): more slots after \(rest.after.wholeSeconds)".printableLine + "\n" }
        if !held.isEmpty {
            var table = Table(["HELD", "BY", "WHY", "SINCE"])
            for held in held {
                table.add(held.subject.description, held.rule, held.reason, "\(held.since.wholeSeconds)")
            }
            text += (text.isEmpty ? "" : "\n") + table.text(palette)
        }
        return text.isEmpty ? "nothing comes due\n" : text
    }

    fileprivate func json(now: Timestamp) -> JSONOutput {
        [
            "items": .array(
                items.map { item in
                    [
                        "at": "\(item.at)", "kind": .string(item.kind.rawValue), "rule": .optional(item.rule),
                        "subject": item.subject?.json ?? nil, "detail": .string(item.detail),
                        "overdue": .bool(item.at < now),
                    ]
                }),
            "more": .array(more.map { ["rule": .string($0.rule), "after": "\($0.after)"] }),
            "held": .array(
                held.map { held in
                    [
                        "rule": .string(held.rule), "subject": held.subject.json, "reason": .string(held.reason),
                        "since": .time(held.since),
                    ]
                }),
        ]
    }
}
