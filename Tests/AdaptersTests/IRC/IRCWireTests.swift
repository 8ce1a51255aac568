import Testing

@testable import IRCAdapter

@Suite struct LineSplitterTests {
    private func split(_ pieces: [String]) -> [String] {
        var splitter = LineSplitter()
        return pieces.flatMap { splitter.add($0.utf8) }.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        (["a\r\nb\r\n"], ["a", "b"]), (["a\nb\r", "\n"], ["a", "b"]), (["a\r\r\n\n"], ["a"]), (["a", "b\n"], ["ab"]),
        (["half"], []), (["a\rb\n"], ["a", "b"]), ([""], []),
    ])
    func `lines end at CR, LF or both, wherever the bytes are cut`(pieces: [String], lines: [String]) {
        #expect(split(pieces) == lines)
    }

    @Test func `a line without an end takes no memory, and those behind it are read`() {
        var splitter = LineSplitter()
        for _ in 0..<1000 { #expect(splitter.add(repeatElement(0x61, count: 1000)).isEmpty) }
        #expect(splitter.add("\r\nb\r\n".utf8) == [Array("b".utf8)])
    }
}

@Suite struct IncomingLineTests {
    private func line(_ text: String) throws -> IncomingLine {
        try #require(IncomingLine(Array(text.utf8)))
    }

    @Test func `tags, source, command and parameters are told apart`() throws {
        let line = try line(#"@a=1;b=x\:y\s\\\r\n\z;c;+d= :nick!user@host.example privmsg #c word : the rest: of it"#)
        #expect(line.tags == ["a": "1", "b": "x;y \\\r\nz", "c": "", "+d": ""])
        #expect(line.source == IncomingLine.Source(name: "nick", user: "user", host: "host.example"))
        #expect(line.command == "PRIVMSG")
        #expect(line.parameters == ["#c", "word", " the rest: of it"])
    }

    @Test(arguments: [
        ("PING x", ["x"]), ("PING :x y", ["x y"]), ("PING   a   b  ", ["a", "b"]), ("PING", []), ("PING :", [""]),
        (":irc.test 005 n A=:b :c", ["n", "A=:b", "c"]), ("AUTHENTICATE :+", ["+"]),
    ])
    func `parameters are split at blanks up to the colon`(text: String, parameters: [String]) throws {
        #expect(try line(text).parameters == parameters)
    }

    @Test(arguments: ["", " ", "@", "@a=b", "@a=b ", ":", ":x", ":x ", "@a :b "])
    func `a line without a command is none`(text: String) {
        #expect(IncomingLine(Array(text.utf8)) == nil)
    }

    @Test func `what is no UTF-8 is read as Latin-1`() throws {
        let line = try #require(IncomingLine(Array("PRIVMSG #c :caf".utf8) + [0xE9]))
        #expect(line.trailing == "café")
    }

    @Test func `a blank stays a blank under an accent`() throws {
        #expect(try line("PRIVMSG \u{301}#c :x").parameters == ["\u{301}#c", "x"])
    }

    @Test func `a source may be anything`() throws {
        #expect(try line(":irc.test 001 x").source == IncomingLine.Source(name: "irc.test"))
        #expect(try line(":n@h 001 x").source == IncomingLine.Source(name: "n", host: "h"))
        #expect(try line(":!@ 001 x").source == IncomingLine.Source(name: "", user: "", host: ""))
    }

    @Test func `no bytes whatever make it fail`() {
        var bytes: [UInt8] = []
        var seed: UInt32 = 1
        for _ in 0..<20_000 {
            seed = seed &* 1_664_525 &+ 1_013_904_223
            bytes.append(UInt8(truncatingIfNeeded: seed >> 24))
            if bytes.count > 40 { bytes.removeFirst(20) }
            for start in ["", "@", ":", "@:", ":a!b@c "] { _ = IncomingLine(Array(start.utf8) + bytes)?.numeric }
        }
    }
}

@Suite struct OutgoingLineTests {
    private func text(_ line: OutgoingLine) -> String { String(decoding: line.bytes, as: UTF8.self) }

    @Test func `a line has its parts in order and one end`() throws {
        #expect(text(try OutgoingLine("JOIN", ["#c", "key"])) == "JOIN #c key\r\n")
        #expect(text(try OutgoingLine("PRIVMSG", ["#c"], text: "a b: :c")) == "PRIVMSG #c :a b: :c\r\n")
        #expect(
            text(try OutgoingLine(label: "dlv_1-2", "NOTICE", ["#c"], text: "")) == "@label=dlv_1-2 NOTICE #c :\r\n")
    }

    @Test(arguments: ["\r", "\n", "\0", "a\r\nQUIT", "\nJOIN #x", "x\0y"])
    func `no part can end the line`(hostile: String) {
        #expect(throws: OutgoingLine.Refusal.self) { try OutgoingLine("NOTICE", ["#c"], text: hostile) }
        #expect(throws: OutgoingLine.Refusal.self) { try OutgoingLine("NOTICE", [hostile], text: "x") }
        #expect(throws: OutgoingLine.Refusal.self) { try OutgoingLine("JOIN", ["#c", hostile]) }
        #expect(throws: OutgoingLine.Refusal.self) { try OutgoingLine("NICK", [hostile]) }
        #expect(throws: OutgoingLine.Refusal.self) { try OutgoingLine("QUIT", text: hostile) }
        #expect(throws: OutgoingLine.Refusal.self) { try OutgoingLine(hostile) }
        #expect(throws: OutgoingLine.Refusal.self) { try OutgoingLine(label: hostile, "NOTICE", ["#c"], text: "x") }
    }

    @Test(arguments: ["", " ", "a b", ":a", " a"])
    func `a parameter in the middle is one word`(hostile: String) {
        #expect(throws: OutgoingLine.Refusal.middle) { try OutgoingLine("NOTICE", [hostile], text: "x") }
    }

    @Test(arguments: ["", " ", ";x=y", "a b", "é"])
    func `a label can bring no other tag`(hostile: String) {
        #expect(throws: OutgoingLine.Refusal.middle) { try OutgoingLine(label: hostile, "PING") }
    }

    @Test func `a line has at most 512 bytes, whatever its label`() throws {
        let fits = String(repeating: "x", count: 512 - "NOTICE #c :\r\n".utf8.count)
        #expect(
            try OutgoingLine(label: "abc", "NOTICE", ["#c"], text: fits).bytes.count == 512 + "@label=abc ".utf8.count)
        #expect(throws: OutgoingLine.Refusal.tooLong) { try OutgoingLine("NOTICE", ["#c"], text: fits + "x") }
    }

    @Test func `what it says is not printed`() throws {
        let line = try OutgoingLine("PASS", text: "hunter2-secret")
        var dumped = ""
        dump(line, to: &dumped)
        for text in ["\(line)", String(reflecting: line), dumped] {
            #expect(!text.contains("hunter2") && !text.contains("104"))
        }
    }
}

@Suite struct CaseMappingTests {
    @Test(arguments: [
        (CaseMapping.ascii, "Nick[]", "nick[]", true), (.ascii, "nick[]", "nick{}", false),
        (.rfc1459, "N[]\\~", "n{}|^", true), (.rfc1459, "N[]\\^", "n{}|~", true),
        (.strictRFC1459, "n[]\\", "N{}|", true), (.strictRFC1459, "n^", "n~", false), (.rfc1459, "É", "é", false),
    ])
    func `which names are the same`(mapping: CaseMapping, a: String, b: String, areEqual: Bool) {
        #expect(mapping.areEqual(a, b) == areEqual)
    }
}

@Suite struct ServerSupportTests {
    @Test func `what a server says of itself is taken, and nonsense is not`() {
        var support = ServerSupport()
        support.add([
            "NICKLEN=30", "CASEMAPPING=ascii", "LINELEN=2048", "BOT=B", "PREFIX=(qaohv)~&@%+", "WHOX", "MONITOR=30",
        ])
        #expect(support.nickLength == 30 && support.caseMapping == .ascii && support.lineLength == 2048)
        #expect(support.botMode == "B" && support.statusPrefixes == "~&@%+" && support.hasWhoX && support.hasMonitor)
        support.add(["NICKLEN=99999999999999999999", "CASEMAPPING=martian", "LINELEN=-1", "BOT=", "=", "", "NICKLEN"])
        #expect(support.nickLength == 30 && support.caseMapping == .ascii && support.lineLength == 512)
        #expect(support.botMode == nil)
    }
}
