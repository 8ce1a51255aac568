import Testing

@testable import zimmer_bot

@Suite struct ProgramTests {
    @Test func `without a command the usage goes to standard error`() async {
        let call = await Call()
        #expect(call.code == .usage)
        #expect(call.output.isEmpty)
        #expect(call.errors.contains("usage: zimmer-bot COMMAND"))
    }

    @Test(arguments: ["-h", "--help", "help"])
    func `the help lists every command`(argument: String) async {
        let call = await Call(argument)
        #expect(call.code == .success)
        for command in CommandRegistry.commands {
            #expect(call.output.contains("\n  \(command.specification.name) "))
        }
        #expect(call.errors.isEmpty)
    }

    @Test(arguments: CommandRegistry.commands.map { $0.specification.name })
    func `every command explains itself, whatever else is wrong with the line`(name: String) async {
        let direct = await Call(name, "--no-such-option", "-h")
        #expect(direct.code == .success)
        #expect(direct.output.contains("usage: zimmer-bot \(name)"))
        #expect(direct.output.contains("--state DIR"))
        #expect(await Call("help", name).output == direct.output)
        #expect(await Call("-h", name).output == direct.output)
    }

    @Test func `a misspelt command is suggested`() async {
        let call = await Call("shedule", "x")
        #expect(call.code == .usage)
        #expect(call.errors.hasPrefix("zimmer-bot: unknown command 'shedule', did you mean 'schedule'?\n"))
    }

    @Test func `a command of a later version is said to be that`() async {
        let call = await Call("schema")
        #expect(call.code == .usage)
        #expect(call.errors == "zimmer-bot: 'schema' is not supported by this version\n")
    }

    @Test func `the options of every command may stand before it`() async {
        #expect(await Call("--json", "--state", "/nowhere", "version").output.hasPrefix("{\"version\":"))
        #expect(await Call("--color=never", "--", "version").code == .success)
        #expect(await Call("--sate", "x", "version").errors.contains("did you mean --state?"))
        #expect(await Call("--state").code == .usage)
    }

    @Test func `a usage error shows how the command is used`() async {
        let call = await Call("schedule")
        #expect(call.code == .usage)
        #expect(call.errors.hasPrefix("zimmer-bot: EXPR is missing\nusage: zimmer-bot schedule "))
    }

    @Test func `a reader that has seen enough is no failure, a full disk is one`() async {
        #expect(await Call("version", results: CapturedText(failure: .readerIsGone)).code == .success)
        let full = await Call("version", results: CapturedText(failure: .failed("No space left on device")))
        #expect(full.code == .failure)
        #expect(full.errors == "zimmer-bot: cannot write the result: No space left on device\n")
    }

    @Test(arguments: [
        (choice: "auto", isTerminal: true, environment: [:], isColored: true),
        ("auto", true, ["NO_COLOR": "1"], false),
        ("auto", true, ["NO_COLOR": ""], true),
        ("auto", true, ["TERM": "dumb"], false),
        ("auto", false, [:], false),
        ("always", false, ["NO_COLOR": "1"], true),
        ("never", true, [:], false),
    ])
    func `colour goes to terminals, unless somebody says otherwise`(
        choice: String, isTerminal: Bool, environment: [String: String], isColored: Bool
    ) async {
        let call = await Call(
            "schedule", "@daily", "--color", choice, environment: environment,
            results: CapturedText(isTerminal: isTerminal))
        #expect(call.output.contains("\u{1B}[") == isColored)
    }
}
