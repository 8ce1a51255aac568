import CEL
import Testing

@testable import BotCore

@Suite struct JSONDocumentTests {
    private func root(_ text: String) throws -> JSONValue { try JSONDocument(Array(text.utf8)).root }

    @Test func `values are found by name and read by type`() throws {
        let json = try root(#"{"a": {"b": [1, 2.5, "x", true, null, 18446744073709551615]}, "c": -7, "d": 3.0}"#)
        let list = try #require(json["a"]?["b"]).elements.map(\.self)
        #expect(list.count == 6)
        #expect(list[0].int == 1)
        #expect(list[1].double == 2.5)
        #expect(list[2].string == "x")
        #expect(list[3].bool == true)
        #expect(list[4].isNull)
        #expect(list[5].uint == .max)
        #expect(list[5].int == nil)
        #expect(json["c"]?.int == -7)
        #expect(json["d"]?.int == 3)
        #expect(json["e"] == nil)
    }

    @Test func `a value of another type is nil, whatever is asked of it`() throws {
        for text in ["null", "true", "1", "1.5", #""x""#, "[1]", #"{"a": 1}"#] {
            let value = try #require(try root("[\(text)]").elements.first { _ in true })
            let found = [
                value.bool != nil, value.double != nil, value.string != nil, value.elements.first { _ in true } != nil,
                value["a"] != nil,
            ]
            #expect(found.count(where: \.self) == (text == "null" ? 0 : 1), "\(text)")
        }
    }

    @Test func `of members with one name the first counts`() throws {
        let json = try root(#"{"a": 1, "a": 2}"#)
        #expect(json["a"]?.int == 1)
        guard case .map(let map) = WireDecoder.dynamic(json) else { return #expect(Bool(false)) }
        #expect(map.entries.count == 1)
    }

    @Test func `names are compared byte by byte`() throws {
        let json = try root("{\"e\u{301}\": 1, \"\u{e9}\": 2}")
        #expect(json["\u{e9}"]?.int == 2)
        guard case .map(let map) = WireDecoder.dynamic(json) else { return #expect(Bool(false)) }
        #expect(map.entries.count == 2)
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "nul", "{\"a\" 1}", "\"", "1 2", "[1e]", "[01]", "[-]", "\u{feff}", "<html>", "[\"\\x\"]",
    ])
    func `what is not JSON is refused with a reason`(text: String) {
        let failure = #expect(throws: JSONDocument.Failure.self) { try JSONDocument(Array(text.utf8)) }
        #expect(failure?.description.isEmpty == false)
    }

    @Test func `depth is bounded`() throws {
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(throws: Never.self) { try root(deep) }
        #expect(throws: JSONDocument.Failure.self) { try root("[\(deep)]") }
        let hostile = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(throws: JSONDocument.Failure.self) { try JSONDocument(hostile) }
    }

    @Test func `the number of values is bounded`() {
        let hostile = "[1" + String(repeating: ",1", count: JSONDocument.maximumNodes) + "]"
        let failure = #expect(throws: JSONDocument.Failure.self) { try root(hostile) }
        #expect(failure?.description == "it has too many values")
    }

    @Test(arguments: [
        (#""\ud800""#, "\u{fffd}"), (#""\udc00x""#, "\u{fffd}x"), (#""\ud800\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
        (#""\ud83d\ude00""#, "\u{1f600}"), (#""\\ud800""#, #"\ud800"#), ("\"a\u{1}b\"", "a\u{1}b"), ("1e400", "1e400"),
        ("-1e999", "-1e999"), ("123456789012345678901", "123456789012345678901"),
    ])
    func `one bad value costs itself and not the page`(bad: String, read: String) throws {
        let json = try root(#"{"before": 1, "bad": \#(bad), "after": [2, "\\"]}"#)
        #expect(json["bad"]?.string?.unicodeScalars.elementsEqual(read.unicodeScalars) == true)
        #expect(json["before"]?.int == 1)
        #expect(json["after"]?.elements.map(\.int) == [2, nil])
    }

    @Test func `bytes that are no UTF-8, and a byte order mark, cost nothing else`() throws {
        let json = try JSONDocument(
            [0xEF, 0xBB, 0xBF] + Array("{\"a\": \"".utf8) + [0xFF] + Array("\", \"b\": 1}".utf8))
        #expect(json.root["a"]?.string == "\u{fffd}")
        #expect(json.root["b"]?.int == 1)
    }

    @Test func `a digest tells content apart and nothing else`() throws {
        let texts = [
            #"{"a": 1, "b": [2]}"#, #"{"a": 1, "b": [3]}"#, #"{"a": 1, "b": []}"#, #"{"a": 1, "c": [2]}"#, "[[1], 2]",
            "[[1, 2]]", "[1, [2]]", #"["a", "bc"]"#, #"["ab", "c"]"#, "[true]", "[false]", "[null]", "[0]", "[0.0]",
            #"[""]"#,
            #"["a\u0000"]"#, #"["a"]"#,
        ]
        let digests = try texts.map { try root($0).digest(seed: 7) }
        #expect(Set(digests).count == texts.count)
        #expect(try texts.map { try root("  \($0)\n").digest(seed: 7) } == digests)
        #expect(try root(texts[0]).digest(seed: 8) != digests[0])
    }

    @Test func `a digest covers a value and nothing beside it`() throws {
        let one = try root(#"[{"a": 1}, 2]"#).elements.map { $0.digest(seed: 1) }
        let two = try root(#"[{"a": 1}, 3]"#).elements.map { $0.digest(seed: 1) }
        #expect(one[0] == two[0])
        #expect(one[1] != two[1])
    }

    @Test func `what is written is read back`() throws {
        let text = "quote \" back \\ line \n tab \t nul \u{0} \u{1f} é 😀 \u{2028}"
        let body = JSONText.object([
            (text, .array([.string(text), .int(.min), .bool(false), .null])), ("", .object([])),
        ])
        let json = try JSONDocument(body.bytes).root
        let list = try #require(json[text]).elements.map(\.self)
        #expect(list[0].string == text)
        #expect(list[1].int == .min)
        #expect(list[2].bool == false)
        #expect(list[3].isNull)
        #expect(json[""]?.kind == .object)
    }
}
