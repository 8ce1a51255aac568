import BotTestSupport
import CEL
import Foundation
import Testing

@testable import BotCore
@testable import Rules
@testable import zimmer_bot

/// `status --rules`: what it says of the past, and of what is wrong with it.
@Suite struct RuleStatusTests {
    private static let noon = Timestamp(seconds: 1_791_547_200)

    private static func misses(_ count: Int, of rule: String = "merge", since: Timestamp = noon) -> NearMisses {
        var clause = Clause(#"session.status == "faild""#, .fails)
        clause.reads = [.init(path: "session.status", value: #""failed""#)]
        let near = (0..<count).map { number in
            RuleOverview.Near(
                subject: SubjectID(type: "session", id: "\(number)"), title: "Fix \u{1B}[31mlogin", clause: clause)
        }
        return NearMisses(rule: rule, since: since, near: near)
    }

    private func text(_ report: NearMissReport) -> String {
        var page = Page(Palette(isOn: false))
        report.add(to: &page, now: Self.noon)
        return page.text
    }

    private func lines(_ report: NearMissReport) -> [String] {
        text(report).split(separator: "\n").map(String.init)
    }

    @Test func `three subjects of each clause are shown, each on a printable line`() {
        let week = Self.noon - .seconds(7 * 86_400)
        let report = NearMissReport(
            from: week, to: Self.noon, recordedSince: week - .seconds(86_400),
            rules: [Self.misses(5, since: week), Self.misses(0, of: "quiet", since: week)])
        #expect(
            text(report) == """

                near misses over the last 7 d
                  merge: 5 but for session.status == "faild"
                    session 0 "Fix [31mlogin"  session.status = "failed"
                    session 1 "Fix [31mlogin"  session.status = "failed"
                    session 2 "Fix [31mlogin"  session.status = "failed"
                    … and 2 more

                """)
    }

    @Test func `less than a week, a bot that was stopped and a rule that began later say so`() {
        let (from, to) = (Self.noon - .seconds(8 * 86_400), Self.noon - .seconds(6 * 86_400))
        let report = NearMissReport(
            from: from, to: to, recordedSince: from, rules: [Self.misses(1, since: from + .seconds(86_400))])
        #expect(
            lines(report).prefix(2) == [
                "near misses over the 2 d up to 2026-10-03T12:00:00Z; recorded since 2026-10-01T12:00:00Z",
                #"  merge: 1 but for session.status == "faild" (since 2026-10-02T12:00:00Z)"#,
            ])
    }

    @Test func `where there are none, that is said`() {
        let week = Self.noon - .seconds(7 * 86_400)
        let report = NearMissReport(from: week, to: Self.noon, recordedSince: week, rules: [Self.misses(0)])
        #expect(lines(report) == ["near misses over the last 7 d", "  none"])
    }

    @Test func `in JSON a rule has its number, its clauses and examples, or null`() {
        let report = NearMissReport(
            from: Self.noon, to: Self.noon, recordedSince: Self.noon, rules: [Self.misses(4)], note: "row 3")
        let near = report.json(of: "merge").text
        #expect(near.hasPrefix(#"{"since":"2026-10-09T12:00:00Z","count":4,"clauses":[{"clause":"session.status == "#))
        #expect(near.components(separatedBy: #""subject""#).count == 4)
        #expect(report.json(of: "daily").text == "null")
        #expect(report.json.text.hasSuffix(#""recorded_since":"2026-10-09T12:00:00Z","note":"row 3"}"#))
    }

    // MARK: - The command

    private static let rules = """
        channels: {ops: {adapter: console}}
        rules:
          - name: failed
            watch: session
            if: session.status == "failed" && session.idle > duration("1h")
            do: [{post: ops, text: failed}]
        """

    /// A state directory with a store in which nothing is recorded.
    private func directory() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        try directory.write(Self.rules, to: "rules.yaml")
        let state = StateDirectory(directory.path("state"))
        try state.create()
        try Migrator(migrations: Schema.migrations).migrate(Database(at: state.databasePath, as: .writer))
        return directory
    }

    private func status(_ directory: TemporaryDirectory, _ more: String...) async -> Call {
        await Call(["status", "--rules", "--state", directory.path("state")] + more)
    }

    @Test func `without a recording the rest is shown, and why there are no near misses`() async throws {
        let directory = try directory()
        let call = await status(directory, "-c", directory.path("rules.yaml"))
        #expect(call.code == .success)
        #expect(call.output.contains("failed  live  not known yet"))
        #expect(call.output.contains("\nnear misses\n  nothing is recorded yet"))
        let json = await status(directory, "-c", directory.path("rules.yaml"), "--json")
        #expect(json.output.contains(#""known_since":null,"near_misses":null}"#))
        #expect(json.output.contains(#""near_misses":{"from":null,"to":null,"recorded_since":null,"note":"nothing"#))
    }

    @Test func `without the rules file there is nothing to compare with`() async throws {
        let directory = try directory()
        #expect(await !status(directory).output.contains("near misses"))
        #expect(await status(directory, "--json").output == #"{"rules":[],"near_misses":null}"# + "\n")
    }

    @Test func `a recording that is damaged does not keep the status back`() async throws {
        let directory = try directory()
        let database = try Database(at: StateDirectory(directory.path("state")).databasePath, as: .writer)
        try database.execute("INSERT INTO history (body) VALUES (x'0102ff')")
        try database.execute("INSERT INTO history_starts (id, at, memory) VALUES (1, 1791500000000000, x'00')")
        try database.execute("INSERT INTO meta (name, value) VALUES ('decided_at', '1791547200000000')")
        let call = await status(directory, "-c", directory.path("rules.yaml"))
        #expect(call.code == .success, "\(call.errors)")
        #expect(call.output.contains("failed  live"))
        #expect(
            call.output.hasSuffix(
                "\nnear misses\n  row 1 of what was recorded cannot be read: nothing from there on was looked at\n"))
    }
}
