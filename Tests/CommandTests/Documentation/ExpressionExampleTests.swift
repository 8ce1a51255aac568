import BotCore
import CEL
import Rules
import Testing

@testable import zimmer_bot

/// Evaluates every expression that docs/expressions.md and docs/functions.md show, and compares what it says there is to read with what there is.
@Suite struct ExpressionExampleTests {
    private static let page = "docs/expressions.md"

    /// A line `EXPRESSION // RESULT`.
    struct Example: Sendable, CustomTestStringConvertible {
        var expression: String
        /// An expression of the same value; or `absent`, `link`, `markdown`.
        var result: String

        init?(_ line: Substring) {
            guard let comment = line.firstRange(of: " // ") else { return nil }
            expression = String(line[..<comment.lowerBound])
            result = String(line[comment.upperBound...])
        }

        var testDescription: String { expression }
    }

    private static let lines: [Substring] = [page, "docs/functions.md"].flatMap { page in
        (try? DocumentationPage(page))?.blocks.filter { $0.kind == "cel" }
            .flatMap { $0.text.split(separator: "\n") } ?? []
    }
    private static let examples = lines.compactMap(Example.init)

    private let world: ExampleWorld

    init() throws {
        world = try ExampleWorld(page: try DocumentationPage(Self.page))
    }

    @Test func `every line of an example says what comes out`() {
        #expect(Self.examples.count == Self.lines.count)
        #expect(Self.examples.count > 50)
    }

    @Test(arguments: examples)
    func `every expression gives what the page says`(example: Example) throws {
        let value = try world.evaluate(example.expression)
        switch (example.result, value) {
        case ("absent", .error(let error)): #expect(error.code == .absent)
        case ("link", .object(let object)), ("markdown", .object(let object)):
            #expect(object.type.name == example.result)
        default:
            let expected = try world.evaluate(example.result)
            #expect(value.equals(expected), "\(value.text) is not \(expected.text)")
        }
    }

    @Test(arguments: [
        ("### `session`", WorldSchema.session), ("### `pr`", WorldSchema.pullRequest),
        ("### `notification`", WorldSchema.notification), ("### `elicitation`", WorldSchema.elicitation),
        ("### `trigger`", WorldSchema.trigger), ("### `backlog`", WorldSchema.backlog),
        ("### `clis`", WorldSchema.clis),
        ("### `zimmer`", WorldSchema.zimmer),
        ("### `costs`", WorldSchema.costs), ("### `slot`", Slot.type),
    ])
    func `the page lists every field with its type`(heading: String, type: ObjectType) throws {
        let rows = try DocumentationPage(Self.page).fields(below: heading)
        #expect(rows == type.fields.map(\.documented))
    }

    @Test func `the page lists every field of the health report`() throws {
        let rows = try DocumentationPage(Self.page).fields(below: "### `health`")
        let recovery = try #require(WorldSchema.types.first { $0.name == "health.queue_recovery_mode" })
        #expect(rows == (WorldSchema.health.fields + recovery.fields).map(\.documented))
    }

    @Test func `every function and macro of the language has an example`() {
        let macros = ["has", "all", "exists", "exists_one", "filter", "map", "transformList", "transformMap", "optMap"]
        for name in Environment().functionList.map(\.name) + macros {
            #expect(Self.examples.contains { $0.expression.contains("\(name)(") }, "\(name)")
        }
    }

    @Test func `every function of rules has an example, and the rules page names them all`() throws {
        let functions = (RuleFunctions.all(zone: "UTC", nowSlot: nil) + RuleFunctions.keyed).map(\.name)
        for name in functions {
            #expect(Self.examples.contains { $0.expression.contains("\(name)(") }, "\(name)")
        }
        let named = try DocumentationPage("docs/rules.md").section("## Functions").joined(separator: " ")
            .split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
        #expect(named.sorted() == functions.sorted())
    }
}

extension DocumentationPage {
    /// Name and type in the rows of the tables below a heading.
    fileprivate func fields(below heading: String) -> [String] {
        section(heading).filter { $0.hasPrefix("| `") }.map { row in
            row.split(separator: "|", maxSplits: 2).prefix(2)
                .map { $0.filter { $0 != "`" }.split(separator: " ").joined(separator: " ") }.joined(separator: ": ")
        }
    }
}

extension ObjectType.Field {
    /// As a table shows it: `pr: pr?`.
    fileprivate var documented: String {
        if case .nullable(let type) = type { "\(name): \(type)?" } else { "\(name): \(type)" }
    }
}
