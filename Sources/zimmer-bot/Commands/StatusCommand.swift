import BotCore
import CEL
import Rules

enum StatusCommand: Command {
    private static let rules = Flag("rules", "each rule's past: when it last matched, its runs, how the last one ended")

    static let specification = CommandSpecification(
        "status", "show how reading, channels, rules and sign-in are doing",
        discussion: """
            Reads the state of the bot, which need not run. The rules file is read for --rules only: with -c it says which
            rules are off, which are not known yet, and what they missed by one clause in the week that was recorded last.
            """,
        options: [Option.config, rules],
        examples: [
            .init("status --json", "For a monitor."),
            .init("status --rules -c rules.yaml", "Which rules matched, and which never do."),
        ])

    static func run(_ arguments: ParsedArguments, in context: CommandContext) throws -> ExitCode {
        if arguments[rules] { return try RuleStatus.run(try arguments[Option.config], in: context) }
        let directory = try context.existingStateDirectory()
        let reader = try StateReader(directory)
        let report = try reader.status()
        let holder = StoreLock.holder(of: directory)
        if context.isJSON {
            try context.output.writeLine(report.json(holder).text)
        } else {
            try context.output.write(report.text(holder, context.output.resultPalette))
            try context.printClockNote(of: reader)
        }
        return .success
    }
}

extension StatusReport {
    fileprivate func text(_ holder: StoreLock.Holder, _ palette: Palette) -> String {
        var text = ""
        var general = Table()
        switch holder {
        case .process(let name): general.add("bot", "runs: \(name)")
        case .nobody: general.add("bot", "does not run; what follows is how it was")
        case .unknown: break
        }
        general.add("last decision", decidedAt.map { "\($0.wholeSeconds)" } ?? "never")
        if let zimmer {
            general.add("Zimmer", zimmer.reachable ? "reachable" : "not reachable")
            general.add("board last read", zimmer.lastReadAt.map { "\($0.wholeSeconds)" } ?? "never")
            general.add("sign-in", zimmer.signIn)
            if let acting = zimmer.acting { general.add("acting as a person", acting.text) }
            if let time = zimmer.edgeTokenExpiresAt { general.add("edge token expires", "\(time.wholeSeconds)") }
            if let error = zimmer.error { general.add("error", error) }
            for reader in readers {
                guard let problem = reader.problem, problem != zimmer.error else { continue }
                general.add("reading \(reader.name)", problem)
            }
            if let words = zimmer.skewText { general.add("Zimmer's clock", words) }
            for sentence in lacks { general.add("missing", sentence) }
        }
        text += general.text(palette)
        if !channels.isEmpty {
            var table = Table(["CHANNEL", "STATE", "SINCE", "WAITING", "GIVEN UP", "ERROR"])
            for channel in channels {
                table.add(
                    channel.name, channel.stateText, channel.since.map { "\($0.wholeSeconds)" } ?? "",
                    String(channel.waiting), String(channel.dead), channel.error ?? "")
            }
            text += "\n" + table.text(palette)
        }
        if !deadLetters.isEmpty {
            var table = Table(["GIVEN UP", "CHANNEL", "RULE", "WHEN", "WHY"])
            for letter in deadLetters {
                table.add(letter.id, letter.channel, letter.rule ?? "", "\(letter.at.wholeSeconds)", letter.reason)
            }
            text += "\n" + table.text(palette)
        }
        if !rules.isEmpty {
            var table = Table(["RULE", "PENDING", "ACTIVE", "HELD", "NEXT", ""])
            for rule in rules {
                table.add(
                    rule.name, String(rule.pending), String(rule.active), String(rule.held),
                    rule.nextSlot.map { "\($0)" } ?? "", rule.awaitsRelease ? "waits for 'release'" : "")
            }
            text += "\n" + table.text(palette)
        }
        if !held.isEmpty {
            var table = Table(["HELD", "BY", "WHY", "SINCE"])
            for held in held {
                table.add(held.subject.description, held.rule, held.reason, "\(held.since.wholeSeconds)")
            }
            text += "\n" + table.text(palette)
        }
        return text
    }

    fileprivate func json(_ holder: StoreLock.Holder) -> JSONOutput {
        [
            "running": holder == .unknown ? nil : .bool(holder != .nobody), "decided_at": .time(decidedAt),
            "zimmer": [
                "reachable": .bool(zimmer?.reachable ?? false), "last_read_at": .time(zimmer?.lastReadAt),
                "error": .optional(zimmer?.error), "sign_in": .string(zimmer?.signIn ?? "ok"),
                "acting": zimmer?.acting.map(\.json) ?? nil, "edge_token_expires_at": .time(zimmer?.edgeTokenExpiresAt),
                "missing": .array(lacks.map(JSONOutput.string)),
            ],
            "readers": .array(
                readers.map { reader in
                    [
                        "name": .string(reader.name), "last_tried_at": .time(reader.lastTriedAt),
                        "last_read_at": .time(reader.lastReadAt), "problem": .optional(reader.problem),
                    ]
                }),
            "channels": .array(
                channels.map { channel in
                    [
                        "name": .string(channel.name), "state": .string(channel.state), "since": .time(channel.since),
                        "paused_until": .time(channel.pausedUntil), "error": .optional(channel.error),
                        "waiting": .integer(Int64(channel.waiting)), "dead": .integer(Int64(channel.dead)),
                    ]
                }),
            "rules": .array(
                rules.map { rule in
                    [
                        "name": .string(rule.name), "pending": .integer(Int64(rule.pending)),
                        "active": .integer(Int64(rule.active)), "held": .integer(Int64(rule.held)),
                        "awaits_release": .bool(rule.awaitsRelease), "next_slot": .time(rule.nextSlot),
                    ]
                }),
            "held": .array(
                held.map { held in
                    [
                        "rule": .string(held.rule),
                        "subject": held.subject.json,
                        "reason": .string(held.reason), "since": .time(held.since),
                    ]
                }),
            "dead_letters": .array(
                deadLetters.map { letter in
                    [
                        "id": .string(letter.id), "channel": .string(letter.channel), "rule": .optional(letter.rule),
                        "reason": .string(letter.reason), "at": .time(letter.at),
                    ]
                }),
        ]
    }
}

extension StatusReport.Acting {
    fileprivate var text: String {
        [state, level.map { "(\($0))" }, problem.map { "- \($0)" }].compactMap(\.self).joined(separator: " ")
    }

    fileprivate var json: JSONOutput {
        ["state": .string(state), "level": .optional(level), "problem": .optional(problem)]
    }
}

extension StatusReport.Channel {
    fileprivate var stateText: String {
        guard state == "paused", let pausedUntil else { return state }
        return "paused until \(pausedUntil.wholeSeconds)"
    }
}

extension JSONOutput {
    static func time(_ time: Timestamp?) -> JSONOutput { time.map { "\($0)" } ?? nil }
    static func optional(_ text: String?) -> JSONOutput { text.map(JSONOutput.string) ?? nil }
}

extension StatusReport.Zimmer {
    /// Nil where it goes as this machine's does.
    fileprivate var skewText: String? {
        guard let skew, skew != 0 else { return nil }
        let seconds = Duration.seconds(skew.magnitude / 1_000_000)
        return "\(seconds.brief) \(skew > 0 ? "ahead of" : "behind") this machine's"
    }
}

extension CommandContext {
    /// At the end of a page with times by Zimmer's clock and by this machine's.
    func printClockNote(of reader: StateReader?) throws {
        if let note = try reader?.clockNote() { try output.write("\n\(note)\n") }
    }
}
