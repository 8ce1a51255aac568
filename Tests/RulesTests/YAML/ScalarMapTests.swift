import Testing

@testable import Rules

@Suite struct ScalarMapTests {
    static let texts = [
        "a: plain words 1 2",
        "a: plain words\n   1   \n\n  2 3\n\n\n  4",
        "a: 'it''s 1\n   2 '' 3\n\n  4'",
        #"a: "q\" 1 \t2\x41\u00e9 3 \U0001F600 4 \N 5 \L 6""#,
        "a: \"one 1 \\\n     two 2\n   3\n\n   4\"",
        "a: |\n  one 1\n    two 2\n\n  3\nb: x",
        "a: |\n\n\n  one 1\n  2\n",
        "a: |2-\n    one 1\n  2\n",
        "a: >\n  one 1\n  two 2\n\n  3\n    more 4\n    5\n  6\n\n\n  7\n",
        "a: >-\n\n  one 1\n  2\n\n",
        "a: >2\n    one 1\n  2\n",
        "a: &x >\n  one 1\n  2\nb: *x",
        "a: é 1 ü\n  ß 2",
        "- 1 x\n- 2",
        "{a: x 1 y, b: [2, \"3\"]}",
    ]

    private func scalars(_ node: YAMLNode) -> [(YAMLScalar, Range<Int>)] {
        switch node.content {
        case .scalar(let scalar): [(scalar, node.range)]
        case .sequence(let elements): elements.flatMap(scalars)
        case .mapping(let entries): entries.flatMap { scalars($0.value) }
        case .unreadable: []
        }
    }

    /// Digits are never written in another way than they read, so each has to be found where it was written.
    @Test(arguments: texts)
    func `a character of the value is found where it was written`(text: String) throws {
        let bytes = Array(text.utf8)
        let root = try #require(readYAML(text).root)
        var found = 0
        for (scalar, range) in scalars(root) {
            let map = ScalarMap(scalar, at: range, in: bytes)
            for (offset, byte) in scalar.text.utf8.enumerated() where (0x31...0x39).contains(byte) {
                let place = map[offset]
                #expect(bytes[place] == byte, "byte \(offset) of \(scalar.text.debugDescription)")
                found += 1
            }
        }
        #expect(found > 0)
    }

    @Test(arguments: texts)
    func `places never run backwards or out of the file`(text: String) throws {
        let root = try #require(readYAML(text).root)
        for (scalar, range) in scalars(root) {
            let map = ScalarMap(scalar, at: range, in: Array(text.utf8))
            let places = (0...scalar.text.utf8.count).map { map[$0] }
            #expect(places == places.sorted())
            #expect(places.allSatisfy { (range.lowerBound...range.upperBound).contains($0) })
        }
    }
}
