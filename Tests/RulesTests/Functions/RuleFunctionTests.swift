import CEL
import Testing

@testable import Rules

@Suite struct RuleFunctionTests {
    private let now = instant("2026-10-09T12:00:00Z")

    /// What a function gives for these arguments at `now` in Chicago, printed.
    private func call(_ name: String, _ arguments: Value...) throws -> String {
        var environment = Environment(options: .rules)
        let slot = environment.declare("now", .timestamp)
        let functions = RuleFunctions.all(zone: "America/Chicago", nowSlot: slot)
        for function in functions { environment.register(function) }
        let function = try #require(functions.first { $0.name == name })
        let names = arguments.indices.map { "a\($0)" }
        let slots = names.map { environment.declare($0, .dyn) }
        var activation = Activation(environment)
        activation[slot] = .timestamp(now)
        for (slot, argument) in zip(slots, arguments) { activation[slot] = argument }
        let isMember = function.overloads.first?.isMember == true
        let call =
            isMember
            ? "\(names[0]).\(name)(\(names.dropFirst().joined(separator: ", ")))"
            : "\(name)(\(names.joined(separator: ", ")))"
        let result = try environment.compile(call).evaluate(activation)
        if case .error(let error) = result { return "error: \(error.message)" }
        return result.printed
    }

    @Test(arguments: [
        (12.344, "$12.34"), (0.0421, "$0.042"), (0.9996, "$1.00"), (0, "$0.000"), (-3.2, "-$3.20"), (-0.0001, "$0.000"),
        (1234.5, "$1234.50"),
    ])
    func `usd shows cents, and a third decimal under a dollar`(amount: Double, text: String) throws {
        #expect(try call("usd", .double(amount)) == text)
    }

    @Test(arguments: [Double.nan, .infinity, 1e300])
    func `usd refuses what is no amount`(amount: Double) throws {
        #expect(try call("usd", .double(amount)).hasPrefix("error"))
    }

    @Test(arguments: [
        (Duration.seconds(7_500), "2 h 5 min"), (.seconds(86_400 * 3), "3 d"), (.seconds(3_605), "1 h"),
        (.milliseconds(20), "under 1 s"), (.zero, "0 s"), (.seconds(-90), "-1 min 30 s"),
        (.seconds(Int64.min), "-106751991167300 d 15 h"),
    ])
    func `humanize takes the two largest units`(duration: Duration, text: String) throws {
        #expect(try call("humanize", .duration(duration)) == text)
    }

    @Test(arguments: [(-720, "in 12 min"), (90, "1 min 30 s ago"), (0, "now")])
    func `ago looks both ways`(seconds: Int64, text: String) throws {
        #expect(try call("ago", .timestamp(now - .seconds(seconds))) == text)
    }

    @Test(arguments: [
        ("yyyy-MM-dd HH:mm", "2026-10-09 07:00"), ("EEEE, d MMM yyyy", "Friday, 9 Oct 2026"),
        ("EEE HH'h'mm ss", "Fri 07h00 00"),
        ("HH:mm zzz", "07:00 CDT"), ("''", "'"), ("'", "'"),
    ])
    func `date shows the rule's wall clock`(pattern: String, text: String) throws {
        #expect(try call("date", .timestamp(now), .string(pattern)) == text)
    }

    @Test func `date names the letters that it knows`() throws {
        #expect(try call("date", .timestamp(now), .string("YYYY")).contains("yyyy MM dd"))
    }

    @Test(arguments: [
        ("mon-fri 07:00-17:00", true), ("mon-fri 07:01-17:00", false), ("sat,sun", false), ("fri", true),
        ("fri-mon", true), ("22:00-07:00", false), ("22:00-07:01", true), ("thu 22:00-08:00", true),
        ("fri 22:00-08:00", false), ("00:00-24:00", true),
    ])
    func `within looks at the rule's wall clock`(window: String, holds: Bool) throws {
        #expect(try call("within", .string(window)) == String(holds))
    }

    @Test(arguments: [
        "", "weekday", "mon 9", "09:00", "09:00-09:00", "mon- 09:00-10:00", "24:00-01:00", "mon tue 1:00-2:00",
    ])
    func `within refuses anything else`(window: String) throws {
        #expect(try call("within", .string(window)).contains("mon-fri 09:00-17:00"))
    }

    @Test(arguments: [("abcdef", 3, "ab…"), ("abc", 3, "abc"), ("👩‍👩‍👧e\u{301}xy", 2, "👩‍👩‍👧…"), ("abc", 0, "")])
    func `truncate counts what people see as characters`(text: String, length: Int64, expected: String) throws {
        #expect(try call("truncate", .string(text), .int(length)) == expected)
    }

    @Test func `sparkline draws from the smallest to the largest`() throws {
        #expect(try call("sparkline", .list([.double(0), .double(.nan), .double(7), .int(3)])) == "▁ █▄")
        #expect(
            try call("sparkline", .list([.double(-.greatestFiniteMagnitude), .double(.greatestFiniteMagnitude)]))
                == "▁█")
        #expect(try call("sparkline", .list([])) == "")
    }

    @Test func `distinct keeps numbers of different types that are equal once`() throws {
        let list = Value.list([
            .int(1), .double(1), .string("1"), .uint(1), .string("é"), .string("e\u{301}"), .list([.int(1)]),
            .list([.int(1)]),
        ])
        #expect(try call("distinct", list) == "1, 1, é, e\u{301}, 1")
    }

    @Test func `distinct and groupBy take fractions, however many`() throws {
        let fractions = (0..<2_000).map { Value.double(Double($0 % 1_500) + 0.5) }
        #expect(try call("distinct", .list(fractions)).split(separator: ",").count == 1_500)
        var environment = Environment(options: .rules)
        for function in RuleFunctions.keyed { environment.register(keyed: function) }
        let program = try environment.compile("[1.5, 2.5, 1.5].groupBy(x, x).map(g, g.items) == [[1.5, 1.5], [2.5]]")
        #expect(program.evaluate(Activation(environment)).text == "true")
    }

    @Test func `sum adds values of one type and notices overflow`() throws {
        #expect(try call("sum", .list([.int(1), .int(2)])) == "3")
        #expect(try call("sum", .list([.duration(.seconds(60)), .duration(.seconds(5))])) == "1 min 5 s")
        #expect(try call("sum", .list([])) == "0")
        #expect(try call("sum", .list([.int(.max), .int(1)])).contains("overflow"))
        #expect(try call("sum", .list([.int(1), .string("x")])).hasPrefix("error"))
    }

    @Test func `take and reverse`() throws {
        #expect(try call("take", .list([.int(1), .int(2), .int(3)]), .int(2)) == "1, 2")
        #expect(try call("take", .list([.int(1)]), .int(.max)) == "1")
        #expect(try call("take", .list([.int(1)]), .int(-1)).hasPrefix("error"))
        #expect(try call("reverse", .list([.int(1), .int(2)])) == "2, 1")
    }
}
