import AdapterKit
import BotTestSupport
import DemoZimmer
import Foundation
import Testing
import WebhookAdapter

@testable import zimmer_bot

/// The example rules on a busy Friday, from six in the morning to eight in the evening in Chicago.
@Suite struct DayFridayTests {
    @Test func `the day is told as it went`() async throws {
        let pager = try RecordingWebhook()
        defer { pager.stop() }
        let text = String(decoding: PackageResources.rules_example_yaml, as: UTF8.self)
            .replacing("{board: 30s, inbox: 1m, health: 2m, costs: 15m}", with: "{board: 2m, health: 2m}")
        let simulation = try Simulation(
            file: text, on: DemoServer(day: .friday), kinds: { [RecordingKind("console", into: $0), WebhookKind()] },
            pager: pager.url)
        await simulation.pass(.hours(14))

        #expect(simulation.posts.filter { !$0.hasPrefix("ops: Zimmer spent") }.map(\.firstLine) == Self.said)
        #expect(simulation.notices.isEmpty)
        #expect(pager.messages.elements.compactMap { $0.json?["markdown"]?.text } == Self.paged)
        // Those of different sessions go side by side.
        #expect(simulation.writes.sorted() == Self.written.sorted())
        try expectReport(of: simulation)
        for message in simulation.messages.elements { expectHarmless(message.markdown) }
    }

    private static let said = [
        "Convert the fixtures failed: git_clone_failed",
        "Sync the wiki failed: api_error_retries_exhausted",
        "Sync the wiki: going again.",
        "**Fix** [the login](javascript:alert(1)) `now` <b>please</b> failed: spawn_failed",
        "**Fix** [the login](javascript:alert(1)) `now` <b>please</b>: going again.",
        "Build the arm image failed: process_failed",
        "Build the arm image: put in the trash.",
        "Crawl the partner pages failed: mcp_connection_failed",
        "Backfill thumbnails failed: mcp_connection_failed",
        "Crawl the partner pages: going again.",
        "Backfill thumbnails: going again.",
        "Queue recovery mode is on: Draining a backlog after a database stall",
        "Queue recovery mode is off.",
        "Port the command line failed: The job that was to start this session was interrupted.",
        "@everyone @room @here look at <!channel> now failed: context_length_compact_failed",
        "@everyone @room @here look at <!channel> now: put in the trash.",
        "Sync the calendar of releases failed: oauth_required",
        "Rename txt.exe and friends \u{200B}quietly failed: `rm -rf /` <script>alert(1)</script>",
        "Port the command line: going again.",
    ].map { "ops: \($0)" }

    /// Markdown: what the rule's author wrote, and all else as text.
    private static let paged = [
        "Convert the fixtures has been failed for a quarter of an hour.",
        #"\*\*Fix\*\* \[the login\](javascript:alert(1)) \`now\` \<b\>please\</b\> has been failed for a quarter of an hour."#,
        "Build the arm image has been failed for a quarter of an hour.",
        "Crawl the partner pages has been failed for a quarter of an hour.",
        "Backfill thumbnails has been failed for a quarter of an hour.",
        "Queue recovery mode is on: Draining a backlog after a database stall",
        "Port the command line has been failed for a quarter of an hour.",
        #"@everyone @room @here look at \<!channel\> now has been failed for a quarter of an hour."#,
        "Sync the calendar of releases has been failed for a quarter of an hour.",
        "Rename txt.exe and friends \u{200B}quietly has been failed for a quarter of an hour.",
    ]

    /// Stale sessions leave the board once, the one that a person brought back included; two merges need a reminder.
    private static let written = [
        "PATCH sessions/1201/visibility", "PATCH sessions/1202/visibility", "PATCH sessions/1203/visibility",
        "PATCH sessions/1223/visibility", "PATCH sessions/1204/visibility", "POST sessions/1208/follow_up",
        "PATCH sessions/1205/visibility", "POST sessions/1210/follow_up",
    ]

    /// Thursday in Chicago, added up from the server's own entries.
    private func expectReport(of simulation: Simulation) throws {
        let start = try #require(ServerTime(iso8601: "2026-10-08T05:00:00Z"))
        let end = try #require(ServerTime(iso8601: "2026-10-09T05:00:00Z"))
        let spent = simulation.server.state.ledger.entries.filter { $0.at >= start && $0.at < end }
        let report = try #require(simulation.posts.first { $0.hasPrefix("ops: Zimmer spent") })
        func dollars(_ spends: [Spend]) -> String {
            String(format: "$%.2f", spends.reduce(0) { $0 + $1.usd })
        }
        #expect(report.hasPrefix("ops: Zimmer spent \(dollars(spent)) on Thursday, 2026-10-08: "))
        for root in ["widgets", "gadgets", "docs-site"] {
            // What was spent in sessions; the total has the rest too.
            let ofRoot = spent.filter { $0.root == root && $0.sessionID != nil }
            #expect(report.contains("\(root): \(dollars(ofRoot))"))
        }
    }

    private func expectHarmless(_ markdown: String) {
        let bare = ["\\<", "\\]", "\\`", "\\*"].reduce(markdown) { $0.replacing($1, with: "") }
        #expect(!bare.contains("<") && !bare.contains("](") && !bare.contains("`"), "\(markdown)")
        let reordering = bare.unicodeScalars.filter { (0x202A...0x202E).contains($0.value) }
        #expect(reordering.isEmpty)
    }
}

extension String {
    fileprivate var firstLine: String { String(prefix { $0 != "\n" }) }
}
