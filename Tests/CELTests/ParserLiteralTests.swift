import Testing

@testable import CEL

@Suite struct ParserLiteralTests {
    @Test(arguments: [
        ("null", "null"), ("true", "true"), ("false", "false"),
        ("0", "0"), ("007", "7"), ("-42", "-42"), ("- 42", "-42"),
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("0x1F", "31"), ("0Xff", "255"), ("-0x8000000000000000", "-9223372036854775808"),
        ("1u", "1u"), ("0xFu", "15u"), ("18446744073709551615U", "18446744073709551615u"),
        ("1.5", "1.5d"), (".5", "0.5d"), ("1e3", "1000.0d"), ("1.5E-3", "0.0015d"), ("2e+2", "200.0d"),
        ("-.5", "-0.5d"), ("-0.0", "-0.0d"), ("1e-999", "0.0d"),
        ("1.size()", "(.size 1)"), ("0x1.e1", "(.e1 1)"),
    ])
    func numbers(source: String, expected: String) {
        #expect(tree(source) == expected)
    }

    @Test(
        arguments: [
            (#""a'b""#, [0x61, 0x27, 0x62]),
            (#"'a"b'"#, [0x61, 0x22, 0x62]),
            (#"''"#, []),
            (#"'''a'b''c'''"#, [0x61, 0x27, 0x62, 0x27, 0x27, 0x63]),
            ("\"\"\"a\n\"b\"\"\"", [0x61, 0x0A, 0x22, 0x62]),
            ("\"\"\"\"\"\"", []),
            (#"'\a\b\f\n\r\t\v'"#, [7, 8, 12, 10, 13, 9, 11]),
            (#"'\\\?\"\'\`'"#, [0x5C, 0x3F, 0x22, 0x27, 0x60]),
            (#"'\x41\Xff\u00e9\U0001F600\101\377'"#, [0x41, 0xFF, 0xE9, 0x1F600, 0x41, 0xFF]),
            (#"r'\n\'"#, [0x5C, 0x6E, 0x5C]),
            (#"R"""a"\""""#, [0x61, 0x22, 0x5C]),
            ("'// no comment'", Array("// no comment".unicodeScalars.map(\.value))),
            ("'é😀'", [0xE9, 0x1F600]),
            ("'e\u{301}'", [0x65, 0x301]),
        ] as [(String, [UInt32])])
    func strings(source: String, scalars: [UInt32]) throws {
        guard case .literal(.string(let string)) = try Parser.parse(source).kind else {
            Issue.record("\(source) is no string")
            return
        }
        #expect(string.unicodeScalars.map(\.value) == scalars)
    }

    @Test(
        arguments: [
            ("b'abc'", [97, 98, 99]),
            ("B\"é\"", [0xC3, 0xA9]),
            (#"b'\xff\377\000'"#, [255, 255, 0]),
            (#"rb'\x'"#, [0x5C, 0x78]),
            (#"bR'\x'"#, [0x5C, 0x78]),
            ("b'''a\nb'''", [97, 10, 98]),
            (#"b'\n'"#, [10]),
        ] as [(String, [UInt8])])
    func bytes(source: String, bytes: [UInt8]) throws {
        guard case .literal(.bytes(let found)) = try Parser.parse(source).kind else {
            Issue.record("\(source) is no bytes literal")
            return
        }
        #expect(found == bytes)
    }
}
