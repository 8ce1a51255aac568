import BotTestSupport
import Testing

@testable import zimmer_bot

@Suite struct EvalCommandTests {
    @Test func `an empty expression has no line to show`() async {
        let call = await Call("eval", "")
        #expect(call.code == .failure)
        #expect(call.errors == "expression:1:1: error: expected a value, found the end\n")
    }

    @Test(arguments: [
        ("[1, 2, 3].filter(x, x > 1)", "[2, 3]  (list(int))"),
        ("'a' + 'b'", "ab  (string)"),
        ("-1", "-1  (int)"),
        ("dyn(1u)", "1  (uint)"),
        ("type(1)", "int  (type(int))"),
        ("math.greatest(1, 2.5)", "2.5  (double)"),
        ("optional.of(1).orValue(2)", "1  (int)"),
        ("{'a': 1}.transformMap(k, v, v + 1)", "{a: 2}  (map(string, int))"),
    ])
    func `an expression gives its value and type`(source: String, line: String) async {
        let call = await Call("eval", source)
        #expect(call.code == .success)
        #expect(call.output == line + "\n")
    }

    @Test(arguments: [
        ("1u", #"{"t":"uint","v":"1"}"#),
        (
            "{'a': [2.5, b'x', null]}",
            #"{"t":"map","v":[[{"t":"string","v":"a"},{"t":"list","v":["#
                + #"{"t":"double","v":"2.5"},{"t":"bytes","v":"eA=="},{"t":"null"}]}]]}"#
        ),
    ])
    func `JSON is the tagged value alone`(source: String, json: String) async {
        let call = await Call("eval", source, "--json")
        #expect(call.code == .success)
        #expect(call.output == json + "\n")
    }

    @Test func `variables come from a file of tagged values`() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            #"{"n": {"t": "int", "v": "9223372036854775807"}, "names": {"t": "list", "v": [{"t": "string", "v": "é"}]}}"#,
            to: "values.json")
        let call = await Call("eval", "names[0] + string(n)", "--bindings", file)
        #expect(call.output == "é9223372036854775807  (string)\n")
    }

    @Test(arguments: [
        (#"{"x": 1}"#, "'x': not a tagged value"),
        (#"{"x": {"t": "int", "v": "two"}}"#, "'x': 'two' is not a tagged int"),
        ("[]", "not an object"),
        ("{", "not JSON"),
    ])
    func `variables that cannot be read are named`(text: String, words: String) async throws {
        let directory = try TemporaryDirectory()
        let call = await Call("eval", "x", "--bindings", try directory.write(text, to: "values.json"))
        #expect(call.code == .failure)
        #expect(call.errors.contains("values.json: \(words)"))
    }

    @Test func `a file that is not there is named`() async {
        let call = await Call("eval", "x", "--bindings", "/no/such/file")
        #expect(call.code == .failure)
        #expect(call.errors == "zimmer-bot: cannot read /no/such/file: No such file or directory\n")
    }

    @Test(arguments: [
        (
            "1 +\n  nam + 2",
            """
            expression:2:3: error: undefined variable 'nam'
                  nam + 2
                  ^~~

            """
        ),
        (
            "'é' == 'b' || 1 / 0 > 2",
            """
            expression:1:15: error: division by zero
                'é' == 'b' || 1 / 0 > 2
                              ^~~~~

            """
        ),
    ])
    func `what is wrong is shown in its line, with the exit code of a failure`(source: String, report: String) async {
        let call = await Call("eval", source)
        #expect(call.code == .failure)
        #expect(call.output.isEmpty)
        #expect(call.errors == report)
    }

    @Test func `a value cannot steer the terminal`() async {
        let call = await Call("eval", #"'\u001b[2J'"#)
        #expect(call.output == "[2J  (string)\n")
    }

    @Test func `an expression that begins with a dash goes behind two dashes`() async {
        #expect(await Call("eval", "--", "-(1)").output == "-1  (int)\n")
        #expect(await Call("eval", "-(1)").errors.contains("put -- before"))
    }

    @Test func `an expression is asked for, unless the functions are`() async {
        #expect(await Call("eval").code == .usage)
        let functions = await Call("eval", "--functions")
        #expect(functions.code == .success)
        #expect(functions.output.contains("    string.startsWith(string) -> bool\n"))
        let json = await Call("eval", "--functions", "--json")
        #expect(json.output.hasPrefix(#"[{"name":""#))
    }

    @Test func `an expression with thousands of mistakes on one line is answered with a page of them`() async {
        let call = await Call("eval", Array(repeating: "unknown", count: 8_000).joined(separator: " && "))
        #expect(call.code == .failure)
        #expect(call.errors.contains("and 7800 more"))
        #expect(call.errors.utf8.count < 100_000)
    }

    @Test func `what each part came to is said beside the value`() async {
        let call = await Call("eval", "--trace", "--json", "1 / 0 == 1 ||\n  [7].exists(n, n > 1)")
        #expect(call.output == #"{"t":"bool","v":true}"# + "\n")
        #expect(
            call.errors == """
                1 / 0 == 1 || [7].exists(n, n > 1) = true
                  1 / 0 == 1 = made up for: division by zero
                    1 / 0 = error: division by zero
                  [7].exists(n, n > 1) = true
                    [7] = [7]
                    n > 1 = true
                      n = 7

                """)
    }
}
