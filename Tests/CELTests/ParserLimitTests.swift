import Foundation
import Testing

@testable import CEL

@Suite struct ParserLimitTests {
    /// Each grows by one level per repetition: before, repeated, core, repeated behind it.
    static let shapes: [(before: String, core: String, behind: String)] = [
        ("(", "a", ")"), ("[", "a", "]"), ("{1:", "a", "}"), ("f(", "a", ")"), ("a[", "a", "]"), ("C{f:", "a", "}"),
        ("!", "a", ""), ("-", "a", ""), ("a ? b : ", "a", ""), ("", "a", " + b"), ("", "a", ".b"), ("", "a", "[0]"),
        ("", "a", ".f()"), ("", "a", " == b"), ("a.map(x, ", "a", ")"), ("", "a", ".filter(x, x)"),
        ("a || b && c == d + e * (", "a", ")"), ("cel.bind(x, 1, ", "a", ")"), ("a.optMap(x, ", "a", ")"),
    ]

    @Test(arguments: shapes)
    func `32 levels of anything are fine`(shape: (before: String, core: String, behind: String)) {
        let source = nested(shape, 32)
        #expect(errors(source).isEmpty)
    }

    @Test(arguments: shapes)
    func `a depth without end is refused on a small stack`(shape: (before: String, core: String, behind: String)) async
    {
        let longest = 99_000 / (shape.before.utf8.count + shape.behind.utf8.count)
        for count in [30, 190, 200, 201, longest] {
            let found = await onSmallStack { errors(nested(shape, count)) }
            let printed = await onSmallStack { (try? Parser.parse(nested(shape, count)))?.text }
            #expect((printed == nil) == !found.isEmpty)
            if count > 200 {
                #expect(found.map(\.message) == ["the expression is nested more than 200 levels deep here; divide it"])
            }
        }
    }

    @Test func `brackets that never close are refused at the level that is too deep`() async {
        for bracket in ["(", "[", "{", "a[", "f("] {
            let found = await onSmallStack { errors(String(repeating: bracket, count: 100_000 / bracket.utf8.count)) }
            #expect(found.map(\.range.lowerBound) == [200 * bracket.utf8.count])
        }
    }

    @Test func `a flat expression of thousands of operands is fine`() {
        for infix in ["||", "&&"] {
            #expect(errors(Array(repeating: "a", count: 15_000).joined(separator: infix)).isEmpty)
        }
        #expect(errors("[" + String(repeating: "1,", count: 15_000) + "]").isEmpty)
    }

    @Test func `more nodes than allowed are refused`() {
        let found = errors("[" + String(repeating: "1,", count: 30_000) + "]")
        #expect(found.map(\.message) == ["the expression has more than 20000 parts"])
        #expect(found.map(\.range) == [40_001..<40_002])
    }

    @Test func `a longer source is not read`() {
        let found = errors(String(repeating: " ", count: 100_000) + "a")
        #expect(found.map(\.message) == ["the expression is longer than 100000 bytes"])
    }

    /// Mistakes of every kind at every place: cut, doubled and replaced text neither traps nor hangs.
    @Test func `damaged expressions are refused or parsed, never more`() {
        let source = #"[1, ?x.y][0] == -1.5e3 ? {'a\u00e9': b"\x00", ?k: .c.`d`} : f(0xFu, !g, r'''h''') in C{i: 1}"#
        let bytes = Array(source.utf8)
        for index in bytes.indices {
            for replacement in ["", "(", "'", "\\", "?", ".", "0", "é", "“", "\u{0}", "not ", "//"] {
                let damaged = bytes[..<index] + Array(replacement.utf8) + bytes[(index + 1)...]
                do throws(CompilationFailure) {
                    let parsed = try Parser.parse(String(decoding: damaged, as: UTF8.self))
                    #expect(tree(parsed.text) == parsed.dump)
                } catch {
                    #expect(error.issues.allSatisfy { $0.range.upperBound <= damaged.count })
                }
            }
            _ = errors(String(decoding: bytes[..<index], as: UTF8.self))
        }
    }

    private func nested(_ shape: (before: String, core: String, behind: String), _ count: Int) -> String {
        String(repeating: shape.before, count: count) + shape.core + String(repeating: shape.behind, count: count)
    }

    /// Runs on a thread with a stack of 512 KB, as threads other than the main one may have.
    private func onSmallStack<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: work()) }
            thread.stackSize = 512 * 1024
            thread.start()
        }
    }
}
