import Testing

@testable import zimmer_bot

@Suite struct TerminalTests {
    @Test func `a table has columns as wide as their widest cell`() {
        var table = Table(["NAME", "STATE"])
        table.add("ops", "up")
        table.add("a longer name", "down")
        #expect(
            table.text(Palette(isOn: false)) == """
                NAME           STATE
                ops            up
                a longer name  down

                """)
    }

    @Test func `no line of a table ends in blanks`() {
        var table = Table(["NAME", "ERROR"])
        table.add("ops", "")
        #expect(table.text(Palette(isOn: false)) == "NAME  ERROR\nops\n")
    }

    @Test func `other people's text cannot steer the terminal`() {
        var table = Table()
        table.add("one\u{1B}[2J\ntwo\u{9B}", "x")
        #expect(!table.text(Palette(isOn: false)).dropLast().contains { "\u{1B}\u{9B}\n".contains($0) })
        #expect(JSONOutput.string("\u{1B}\u{7F}\u{9B}\n\"\\é").text == #""\u001b\u007f\u009b\n\"\\é""#)
    }

    @Test func `JSON keeps the order of members`() {
        let document: JSONOutput = ["b": [1, -0.5, nil, true], "a": "x", "empty": .object([])]
        #expect(document.text == #"{"b":[1,-0.5,null,true],"a":"x","empty":{}}"#)
    }
}
