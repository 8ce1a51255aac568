import Testing

@testable import CEL

private let pull = ObjectType("pr", [.init("url", .string), .init("number", .nullable(.int))])

@Suite struct ValueTextTests {
    static let shown: [(Value, String, String)] = [
        (.null, "null", "null"),
        (.bool(true), "true", "true"),
        (.int(-5), "-5", "-5"),
        (.uint(.max), "18446744073709551615", "18446744073709551615"),
        (.double(1), "1", "1"),
        (.double(0.1), "0.1", "0.1"),
        (.double(1e23), "1e+23", "1e+23"),
        (.double(.nan), "NaN", "null"),
        (.double(-.infinity), "-Infinity", "null"),
        (.string("say \"hi\"\n\u{1}"), "say \"hi\"\n\u{1}", #""say \"hi\"\n\u0001""#),
        (.bytes(Array("xyz".utf8)), "xyz", #""eHl6""#),
        (.timestamp(Timestamp(seconds: 0)), "1970-01-01T00:00:00Z", #""1970-01-01T00:00:00Z""#),
        (.duration(.milliseconds(1_500)), "1.5s", #""1.5s""#),
        (.list([.string("a"), .double(3.14), .null]), "[a, 3.14, null]", #"["a",3.14,null]"#),
        (map((.string("b"), .int(1)), (.int(2), .bool(true))), "{2: true, b: 1}", #"{"b":1,"2":true}"#),
        (.type(.map(.string, .int)), "map", #""map""#),
        (
            .object(Object(pull, named: ["url": .string("u")])), "pr{url: u, number: null}",
            #"{"url":"u","number":null}"#
        ),
        (.optional(OptionalValue(.int(1))), "optional.of(1)", "1"),
        (.optional(.none), "optional.none()", "null"),
    ]

    @Test(arguments: shown)
    func `a value shows as text and as JSON`(value: Value, text: String, json: String) {
        #expect(value.text == text)
        #expect(value.json == json)
    }

    @Test func `a value that shares its parts many times over is cut, not written out`() {
        var value = Value.string(String(repeating: "x", count: 1_000_000))
        for _ in 0..<40 { value = .list([value, value]) }
        #expect(value.text.utf8.count < Value.largestText + 10)
        #expect(value.text.hasSuffix("…"))
        #expect(value.json == "\"(longer than 10000000 bytes)\"")
    }

    @Test(arguments: [
        (Type.list(.int), "list(int)"), (.map(.string, .dyn), "map(string, dyn)"), (.type(.int), "type(int)"),
        (.type(nil), "type"), (.timestamp, "google.protobuf.Timestamp"), (.optional(.int), "optional_type(int)"),
        (.nullable(.list(.object(pull))), "list(pr) or null"), (.null, "null_type"), (.parameter("A"), "A"),
        (.named("net.IP", []), "net.IP"), (.named("pair", [.int, .dyn]), "pair(int, dyn)"),
    ])
    func `a type is described as CEL writes it`(type: Type, description: String) {
        #expect(type.description == description)
    }
}

@Suite struct TaggedJSONTests {
    static let tagged: [(Value, String)] = [
        (.null, #"{"t":"null"}"#),
        (.bool(true), #"{"t":"bool","v":true}"#),
        (.int(.min), #"{"t":"int","v":"-9223372036854775808"}"#),
        (.uint(.max), #"{"t":"uint","v":"18446744073709551615"}"#),
        (.double(1), #"{"t":"double","v":"1.0"}"#),
        (.double(-.infinity), #"{"t":"double","v":"-Infinity"}"#),
        (.string("é\n"), #"{"t":"string","v":"é\n"}"#),
        (.bytes([255, 0]), #"{"t":"bytes","v":"/wA="}"#),
        (.list([.int(1), .list([])]), #"{"t":"list","v":[{"t":"int","v":"1"},{"t":"list","v":[]}]}"#),
        (map((.string("a"), .int(1))), #"{"t":"map","v":[[{"t":"string","v":"a"},{"t":"int","v":"1"}]]}"#),
        (.type(.timestamp), #"{"t":"type","v":"google.protobuf.Timestamp"}"#),
        (
            .timestamp(Timestamp(seconds: -1, nanoseconds: 5)),
            #"{"t":"timestamp","v":"1969-12-31T23:59:59.000000005Z","seconds":"-1","nanos":5}"#
        ),
        (.duration(.milliseconds(-1_500)), #"{"t":"duration","v":"-1.5s","seconds":"-1","nanos":-500000000}"#),
        (.optional(OptionalValue(.int(1))), #"{"t":"optional","v":{"t":"int","v":"1"}}"#),
        (.optional(.none), #"{"t":"optional"}"#),
    ]

    @Test(arguments: tagged)
    func `a value keeps its type through tagged JSON`(value: Value, json: String) throws {
        #expect(value.taggedJSON == json)
        let read = try Value(taggedJSON: json)
        #expect(read.equals(value))
        #expect(read.taggedJSON == json)
    }

    @Test func `escapes, surrogate pairs and space are read`() throws {
        let value = try Value(taggedJSON: " { \"v\" : \"\\u00e9\\ud83d\\ude00\\/\" , \"t\":\"string\" } ")
        #expect(value.text == "é😀/")
    }

    @Test(arguments: [
        "", "1", "{}", "[]", #"{"t":"int","v":2}"#, #"{"t":"int","v":"9223372036854775808"}"#, #"{"t":"int"}"#,
        #"{"t":"int","v":"2"} x"#, #"{"t":"int","v":"2""#, #"{"t":"string","v":"\ud800"}"#, #"{"t":"string","v":"\x"}"#,
        "{\"t\":\"string\",\"v\":\"\n\"}", #"{"t":"what","v":"2"}"#, #"{"t":"map","v":[[{"t":"null"}]]}"#,
        #"{"t":"map","v":[[{"t":"null"},{"t":"null"}]]}"#, #"{"t":"bytes","v":"A"}"#,
        #"{"t":"timestamp","v":"","seconds":"0","nanos":1000000000}"#,
    ])
    func `anything else is refused`(json: String) {
        #expect(code { try Value(taggedJSON: json) } == .invalidArgument)
    }

    @Test func `invalid UTF-8 and bottomless nesting are refused`() {
        #expect(code { try Value(taggedJSON: Array(#"{"t":"string","v":""#.utf8) + [0xff, 0x22, 0x7d]) } != nil)
        #expect(code { try Value(taggedJSON: String(repeating: "[", count: 1_000_000)) } == .invalidArgument)
    }
}
