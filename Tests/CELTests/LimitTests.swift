import CEL
import Testing

/// Whatever the source and the values are: an answer, soon, without a trap.
@Suite struct LimitTests {
    /// Each grows by one level per repetition: before, core, behind.
    struct Shape: CustomTestStringConvertible {
        var before = ""
        var core = "1"
        var behind = ""

        var testDescription: String { "\(before)\(core)\(behind)" }

        func repeated(_ count: Int) -> String {
            String(repeating: before, count: count) + core + String(repeating: behind, count: count)
        }
    }

    static let shapes = [
        Shape(before: "(", behind: ")"), Shape(before: "[", behind: "]"), Shape(before: "{1: ", behind: "}"),
        Shape(before: "!", core: "true"), Shape(before: "-", core: "x"), Shape(before: "size([", behind: "])"),
        Shape(before: "true ? 1 : "), Shape(behind: " + 1"), Shape(core: "{}", behind: ".a"),
        Shape(core: "[]", behind: "[0]"), Shape(core: "'a'", behind: ".trim()"),
        Shape(before: "[1].map(x, ", behind: ")"), Shape(before: "cel.bind(x, 1, ", behind: ")"),
        Shape(before: "optional.of(1).optMap(x, ", behind: ")"), Shape(before: "1 + (", behind: ")"),
        Shape(before: "true || true && true == false in [1 + 1 * (", behind: ")]"),
        Shape(before: "[1].all(x, ", core: "true", behind: ")"), Shape(before: "{'a': [", behind: "]}"),
        Shape(before: "x{a: ", behind: "}"), Shape(behind: " < 1"), Shape(core: "[1]", behind: ".filter(x, true)"),
        Shape(core: "'a'", behind: ".unknown()"), Shape(before: "unknown(", behind: ")"),
    ]

    @Test(arguments: shapes)
    func `nesting is refused before it exhausts a small stack`(shape: Shape) async {
        let longest = 90_000 / (shape.before.utf8.count + shape.behind.utf8.count)
        for count in [20, 31, 32, 60, 63, 64, 65, 99, 198, 199, 200, 1_000, longest] {
            let outcome = await onSmallStack { evaluate(shape.repeated(count)) }
            if count >= 1_000 { #expect(outcome.hasPrefix("does not compile")) }
        }
    }

    @Test func `what the language asks of every implementation is within the limits`() {
        #expect(evaluate(String(repeating: "(", count: 32) + "7" + String(repeating: ")", count: 32)) == "7")
        #expect(evaluate(String(repeating: "!", count: 32) + "true") == "true")
        #expect(evaluate(Array(repeating: "1", count: 150).joined(separator: " + ")) == "150")
    }

    @Test(arguments: ["||", "&&"])
    func `a flat chain of thousands of conditions works`(symbol: String) {
        let condition = symbol == "||" ? "1 > 2" : "2 > 1"
        let source = Array(repeating: condition, count: 8_000).joined(separator: symbol)
        #expect(evaluate(source) == (symbol == "||" ? "false" : "true"))
    }

    static let hostile: [String: String] = [
        "parentheses": String(repeating: "(", count: 100_000), "brackets": String(repeating: "[", count: 100_000),
        "braces": String(repeating: "{", count: 99_000), "fields": String(repeating: "a.", count: 49_000) + "b",
        "digits": String(repeating: "9", count: 99_000), "escapes": "'" + String(repeating: "\\", count: 99_000),
        "exponent": "0." + String(repeating: "3", count: 99_000) + "e999999999999",
        "quotes": String(repeating: "'", count: 99_999), "too long": String(repeating: " ", count: 100_001),
        "a long name": String(repeating: "a", count: 99_999), "a zero byte": "\u{0}", "a byte order mark": "\u{FEFF}1",
        "signs": String(repeating: "-", count: 99_000) + "1", "a picture": "🐱", "half a pair": "'\\ud800'",
        "a backquote": "`" + String(repeating: "a", count: 99_000), "nothing": "",
    ]

    @Test(arguments: hostile.keys.sorted())
    func `a hostile source is refused`(name: String) async throws {
        let source = try #require(LimitTests.hostile[name])
        let outcome = await onSmallStack { evaluate(source) }
        #expect(outcome.hasPrefix("does not compile"))
    }

    static let endless = [
        // Loops within loops.
        "range.all(a, range.all(b, range.all(c, a + b + c >= 0)))",
        // A value that doubles at every step: text, a list, and lists of themselves.
        doubling("'0123456789abcdef'", "x + x"), doubling("[1]", "x + x"),
        doubling("[1]", "[x, x]", "x == x"), doubling("[1]", "[x, x]", "'%s'.format([x]).size() > 0"),
        doubling("{'a': 1}", "{'a': x, 'b': x}", "x == x"),
        doubling("optional.of(1)", "optional.of([x, x])", "x == x"),
        // Results far larger than the arguments.
        "text.replace('', text).replace('', text).size() > 0", "text.split('').map(x, text).join(text).size() > 0",
        "range.map(x, text).join(text).replace('a', text).size() > 0",
    ]

    @Test(arguments: endless.indices)
    func `too much work is an error, not a wait`(index: Int) {
        let source = LimitTests.endless[index]
        var environment = Environment()
        environment.declare("range", .list(.int))
        environment.declare("text", .string)
        var activation = Activation(environment)
        activation[0] = .list((0..<2_000).map { .int($0) })
        activation[1] = .string(String(repeating: "a", count: 20_000))
        #expect(evaluate(source, environment, activation) == "error: budgetExceeded")
        #expect(
            evaluate("(\(source)) || true", environment, activation).contains("budgetExceeded")
                || source.hasPrefix("cel"))
    }

    @Test(arguments: [
        "text < text + 'b'", "bytes(text) > bytes(text + 'b')", "text in keyed", "keyed[?text].hasValue()",
        "keyed == keyed", "{text: 1}.size() == 1", "[text].transformMap(i, t, t).transformMapEntry(i, t, {t: i}) == {}",
        // RE2 takes half a second for each of these.
        "part.matches('((a?){30}){30}b')", "part.matches('(a|b|aa|ab){1,300}c(a|b)*d(x*y*z*){50}')",
        // Patterns that are large, and too large.
        "'a'.matches(r'(\\pL\\pN){10}' + part.substring(0, 0))",
        "'a'.matches(r'(\\pL\\pN){100}' + part.substring(0, 0))",
    ])
    func `work on text counts by its length, and that of patterns by their size`(source: String) {
        var environment = Environment()
        environment.declare("text", .string)
        environment.declare("part", .string)
        environment.declare("keyed", .map(.string, .int))
        let text = String(repeating: "a", count: 600_000)
        var activation = Activation(environment)
        activation[0] = .string(text)
        activation[1] = .string(String(repeating: "a", count: 20_000))
        activation[2] = .map(MapValue(named: (0..<10).map { (text + "\($0)", .int(1)) }))
        #expect(evaluate(source, environment, activation, budget: 9_000) == "error: budgetExceeded")
    }

    @Test func `a name longer than any that is meant is refused`() {
        let name = String(repeating: "a", count: 1_001)
        #expect(evaluate("\(name) == 1").contains("longer than 1000 bytes"))
        #expect(evaluate("{'a': 1}.`\(name)` == 1").contains("longer than 1000 bytes"))
    }

    /// `body` about `x`, which has been through `step` fifty times.
    static func doubling(_ start: String, _ step: String, _ body: String = "x.size() > 0") -> String {
        var source = body
        for _ in 0..<50 { source = "cel.bind(x, \(step), \(source))" }
        return "cel.bind(x, \(start), \(source))"
    }

    /// Sources of which a checker could learn twice as much with every level, or with every element.
    static let heavy: [String: String] = [
        "empty lists": "[" + Array(repeating: "[]", count: 33_000).joined(separator: ",") + "]",
        "empty maps": "[" + Array(repeating: "{}", count: 33_000).joined(separator: ",") + "]",
        "optionals": "[" + Array(repeating: "optional.none()", count: 6_000).joined(separator: ",") + "]",
        "origins": (0..<60).reduce("cel.bind(x, any, |)") { source, _ in
            source.replacing("|", with: "cel.bind(x, true ? x.a : x.b, |)")
        },
        "keys of keys": (0..<60).reduce("cel.bind(x, 1, |)") { source, _ in
            source.replacing("|", with: "cel.bind(x, {x: x}, |)")
        },
        "types of types": (1..<60).reduce("cel.bind(x0, [], |)") { source, level in
            source.replacing(
                "|", with: "cel.bind(x\(level), [], x\(level - 1) == x\(level).map(x, {x: x}) ? | : x0)")
        },
    ]

    @Test(.timeLimit(.minutes(10)), arguments: heavy.keys.sorted())
    func `a source is checked in time that its length bounds`(name: String) async throws {
        let source = try #require(LimitTests.heavy[name]).replacing("|", with: "x")
        var environment = Environment()
        environment.declare("any", .dyn)
        let program = try? environment.compile(source)
        #expect((program != nil) == ["empty lists", "empty maps", "optionals", "origins"].contains(name))
    }

    @Test func `an expression that runs out of steps is an error even where errors are absorbed`() {
        #expect(evaluate("[1, 2, 3].all(x, x > 0) || true", Environment(), budget: 1_000) == "true")
        #expect(
            evaluate("[1, 2, 3].map(x, x + 1).size() == 3 || true", Environment(), budget: 12)
                == "error: budgetExceeded")
        #expect(evaluate("1 + 1", Environment(), budget: 0) == "error: budgetExceeded")
    }

    @Test(arguments: ["(a+)+$", "(a|aa)*b", "((a*)*)*c"])
    func `a pattern that other engines choke on takes no time`(pattern: String) {
        var environment = Environment()
        environment.declare("text", .string)
        var activation = Activation(environment)
        activation[0] = .string(String(repeating: "a", count: 100_000) + "!")
        #expect(evaluate("text.matches('^\(pattern)')", environment, activation) == "false")
        #expect(evaluate("text.matches('^' + '\(pattern)')", environment, activation) == "false")
    }

    @Test func `a pattern that needs too much memory is refused`() {
        #expect(evaluate("'a'.matches('((a{100}){100}){100}')").hasPrefix("does not compile"))
    }

    /// Cut, doubled and replaced pieces of real sources: refused or evaluated, never a trap.
    @Test func `damaged sources do no harm`() {
        let sources = [
            "task.status == \"needs_input\" && task.?review.state.orValue('none') != r'x\\y' || 0x1F > -1.5e3",
            "[1, 2u, .5].map(x, x > dyn(1), {?'a': {}[?x], 'b': [x]}).filter(m, has(m.a) ? m.b[0] : false)",
            "cel.bind(x, b'\\xff\\u0041', '''a\nb'''.format([x]).`c-d`) // end",
        ]
        var generator = SplitMix(state: 42)
        let pieces = Array("()[]{}?:.,'\"\\`!-+*/%<>=&|@#$ \n0x1eu é🐱".unicodeScalars)
        var compiled = 0
        for _ in 0..<3_000 {
            var scalars = Array(sources[Int(generator.next() % 3)].unicodeScalars)
            for _ in 0...(generator.next() % 3) {
                let position = Int(generator.next() % UInt64(scalars.count))
                switch generator.next() % 3 {
                case 0: scalars.remove(at: position)
                case 1: scalars.insert(pieces[Int(generator.next() % UInt64(pieces.count))], at: position)
                default: scalars.removeSubrange(position..<min(scalars.count, position + 5))
                }
                if scalars.isEmpty { scalars = ["1"] }
            }
            let source = String(String.UnicodeScalarView(scalars))
            if !evaluate(source, World.environment, World.activation()).hasPrefix("does not") { compiled += 1 }
            for found in issues(source) { #expect(found.issue.range.upperBound <= source.utf8.count) }
        }
        #expect(compiled > 0)
    }

    /// A host reads documents of a hundred levels at most.
    @Test(arguments: ["any == any", "'%s'.format([any]).size() > 0", "[any] + [any]", "any in [any]", "{'a': any}"])
    func `data nested deeper than a document may be is walked on a small stack`(source: String) async throws {
        var environment = Environment()
        environment.declare("any", .dyn)
        let program = try environment.compile(source, traced: true)
        var deep = Value.int(1)
        for level in 0..<200 { deep = level % 2 == 0 ? .list([deep]) : .map(MapValue(named: [("a", deep)])) }
        var activation = Activation(environment)
        activation[0] = deep
        let texts = await onSmallStack { [activation] in
            let value = program.trace(activation).root.value
            return [value.text, value.json, value.taggedJSON]
        }
        #expect(texts.allSatisfy { $0.contains("true") || $0.contains("1") })
    }
}
