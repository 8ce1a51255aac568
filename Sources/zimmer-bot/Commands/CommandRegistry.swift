import CEL

/// The commands of this version, in the order of the help.
enum CommandRegistry {
    static let commands: [any Command.Type] = [
        DemoCommand.self,
        RunCommand.self,
        CheckCommand.self,
        TestCommand.self,
        ReplayCommand.self,
        PlanCommand.self,
        ExplainCommand.self,
        LogCommand.self,
        StatusCommand.self,
        DoctorCommand.self,
        AgendaCommand.self,
        ReleaseCommand.self,
        PauseCommand.self,
        ResumeCommand.self,
        MuteCommand.self,
        RunRuleCommand.self,
        AckCommand.self,
        SendCommand.self,
        LoginCommand.self,
        LogoutCommand.self,
        EvalCommand.self,
        ScheduleCommand.self,
        HelpCommand.self,
        VersionCommand.self,
    ]

    /// Every command that the documentation names. Those that are not in `commands` are for a later version.
    private static let documented: Set<String> = [
        "demo", "init", "run", "check", "plan", "explain", "test", "replay", "eval", "schedule", "pause", "resume",
        "mute",
        "run-rule", "release", "approve", "deny", "ack", "log", "agenda", "status", "doctor", "send", "login", "logout",
        "schema", "completions", "plugins",
    ]

    /// The program's arguments, taken apart at the name of the command.
    struct Split {
        var command: (any Command.Type)?
        /// All but the name: the options of every command may stand before it.
        var arguments: [String]
        var wantsHelp = false
        var wantsVersion = false
    }

    static func split(_ arguments: [String]) throws(UsageError) -> Split {
        var index = 0
        while index < arguments.count, ArgumentParser.isOption(arguments[index]), arguments[index] != "--" {
            index += try length(ofOption: arguments[index])
        }
        if index < arguments.count, arguments[index] == "--" { index += 1 }
        guard index < arguments.count else {
            return Split(
                arguments: arguments, wantsHelp: ArgumentParser.wantsHelp(arguments),
                wantsVersion: arguments.contains("--version"))
        }
        let command = try find(arguments[index])
        return Split(command: command, arguments: arguments[..<index].filter { $0 != "--" } + arguments[(index + 1)...])
    }

    /// How many arguments an option before the command's name takes up.
    private static func length(ofOption argument: String) throws(UsageError) -> Int {
        let name = argument.prefix { $0 != "=" }
        if ["-h", "--version"].contains(name) { return 1 }
        guard let option = CommonOptions.all.first(where: { "--\($0.name)" == name }) else {
            let hint = CommonOptions.all.hint(for: String(name))
            throw UsageError(
                "unknown option \(name) before the command\(hint)", usage: "'zimmer-bot -h' lists the options.\n")
        }
        return option.valueName == nil || name.utf8.count < argument.utf8.count ? 1 : 2
    }

    static func find(_ name: String) throws(UsageError) -> any Command.Type {
        if let command = commands.first(where: { $0.specification.name == name }) { return command }
        guard !documented.contains(name) else {
            throw UsageError("'\(name)' is not supported by this version", usage: "")
        }
        let hint = NearMiss.hint(NearMiss.best(of: commands.map { $0.specification.name }, for: name))
        throw UsageError("unknown command '\(name)'\(hint)", usage: "'zimmer-bot -h' lists the commands.\n")
    }
}
