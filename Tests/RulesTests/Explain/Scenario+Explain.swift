import CEL
import Testing

@testable import Rules

extension Scenario {
    /// Explains a rule for a session of the last reading, as if everything had been decided before.
    func explain(_ number: Int, by rule: String = "r", before: Memory? = nil) throws -> Explanation {
        let prepared = try #require(rules.rule(rule))
        let subject = world().standing["session"]?[Self.id(number)]
        return rules.explain(prepared, subject, world: world(), before: before ?? memory, after: memory)
    }

    /// Reads, decides, and explains what that led to.
    mutating func explain(_ session: Session, after: Duration = .seconds(30)) throws -> Explanation {
        let before = memory
        poll(session, after: after)
        return try explain(session.id, before: before)
    }

    func overview(by rule: String = "r") throws -> RuleOverview {
        let prepared = try #require(rules.rule(rule))
        return rules.overview(
            prepared, world().standing["session"]?.all ?? [], world: world(), before: memory, after: memory)
    }
}

extension Explanation {
    /// The kinds of what is in the way.
    var kinds: [Block.Kind] { blocks.map(\.kind) }

    func block(_ kind: Block.Kind) -> Block? { blocks.first { $0.kind == kind } }
}
