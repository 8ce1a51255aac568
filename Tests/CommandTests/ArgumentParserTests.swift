import Testing

@testable import zimmer_bot

@Suite struct ArgumentParserTests {
    private static let count = Option("count", "N", in: 1...10, "how many")
    private static let config = Option<String>.config
    private static let state = CommonOptions.state
    private static let dryRun = Flag("dry-run", "change nothing")
    private static let first = Positional.required("FIRST", "the first")
    private static let rest = Positional.optional("SECOND", "the second")
    private static let command = CommandSpecification(
        "try", "try it", positionals: [first, rest], options: [count, config, dryRun])

    private func parse(_ arguments: String...) throws -> ParsedArguments {
        try ArgumentParser(Self.command).parse(arguments)
    }

    @Test(arguments: [["--config", "f"], ["--config=f"], ["-c", "f"], ["-cf"], ["-c=f"]])
    func `a value stands beside its option or in the same argument`(arguments: [String]) throws {
        let parsed = try ArgumentParser(Self.command).parse(arguments + ["x"])
        #expect(try parsed[Self.config] == "f")
    }

    @Test func `options and arguments may be mixed`() throws {
        let parsed = try parse("a", "--dry-run", "--count", "3", "b")
        #expect(parsed[Self.dryRun])
        #expect(try parsed[Self.count] == 3)
        #expect(parsed[Self.first] == "a")
        #expect(parsed[Self.rest] == "b")
    }

    @Test func `two dashes end the options`() throws {
        let parsed = try parse("--dry-run", "--", "--count", "--")
        #expect(try parsed[Self.count] == nil)
        #expect(parsed[Self.first] == "--count")
        #expect(parsed[Self.rest] == "--")
    }

    @Test(arguments: ["-1", "-", "", "-0.5 + x"])
    func `what only begins with a dash is an argument`(text: String) throws {
        #expect(try parse(text)[Self.first] == text)
    }

    @Test func `an empty value is a value`() throws {
        #expect(try parse("--state=", "x")[Self.state] == "")
        #expect(try parse("--state", "", "x")[Self.state] == "")
    }

    @Test(arguments: [
        (["x", "--confg", "f"], "unknown option --confg, did you mean --config?"),
        (["x", "--sate=f"], "unknown option --sate, did you mean --state?"),
        (["x", "--zzzzzz"], "unknown option --zzzzzz; put -- before an argument that begins with a dash"),
        (["x", "-x"], "unknown option -x; put -- before an argument that begins with a dash"),
        (["x", "--config"], "--config needs a value: --config FILE"),
        (["x", "--config", "--dry-run"], "--config needs a value: --config FILE"),
        (["x", "--config", "--", "f"], "--config needs a value: --config FILE"),
        (["x", "--dry-run=yes"], "--dry-run takes no value"),
        (["x", "--config=a", "-c", "b"], "--config is given twice"),
        (["x", "--count=0"], "--count: '0' is not a whole number from 1 to 10"),
        (["x", "--count=99999999999999999999"], "--count: '99999999999999999999' is not a whole number from 1 to 10"),
        ([], "FIRST is missing"),
        (["a", "b", "c"], "unexpected argument 'c'; an argument with spaces has to be quoted"),
    ])
    func `a mistake is named, with what was probably meant`(arguments: [String], message: String) {
        #expect {
            _ = try ArgumentParser(Self.command).parse(arguments)[Self.count]
        } throws: {
            ($0 as? UsageError)?.message == message
        }
    }

    @Test func `a required option is asked for, and shown without brackets`() throws {
        let command = CommandSpecification("try", "try it", options: [Self.config.required, Self.dryRun])
        #expect(command.usage == "try -c FILE [--dry-run]")
        #expect {
            _ = try ArgumentParser(command).parse(["rules.yaml"])
        } throws: {
            ($0 as? UsageError)?.message
                == "unexpected argument 'rules.yaml'; a file is named with -c, --config FILE"
        }
        #expect {
            _ = try ArgumentParser(command).parse([])
        } throws: {
            ($0 as? UsageError)?.message == "--config FILE is missing"
        }
    }
}
