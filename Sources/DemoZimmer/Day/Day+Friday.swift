extension Day {
    /// Friday, 9 October 2026, from six in the morning in Chicago: a busy day on a small team's Zimmer.
    package static let friday = Day(start: DemoServer.morning, events: fridayEvents, morning: FridayMorning.fill)

    /// An event at that time of day in Chicago; 24 and more is the night after.
    private static func at(_ hour: Int, _ minute: Int, _ change: Change) -> Event {
        Event(after: .minutes((hour - 6) * 60 + minute), change: change)
    }

    private static let fridayEvents: [Event] =
        failures + merges + newWork + people + machine + hostileTitles + smallSpend

    /// Sessions that fail, and what becomes of them.
    private static let failures: [Event] = [
        // Put right before anyone is paged.
        at(6, 50, .fails(session: 1212, reason: "api_error_retries_exhausted")),
        at(7, 2, .restarts(session: 1212)),
        // Nobody looks for two hours.
        at(9, 40, .fails(session: 1213, reason: "process_failed")),
        at(11, 45, .archives(session: 1213)),
        // Over within a minute: no reason to tell anybody.
        at(12, 10, .fails(session: 1214, reason: "sigterm_retries_exhausted")),
        at(12, 11, .restarts(session: 1214)),
        // A free sentence where a code is usual.
        at(16, 20, .fails(session: 1216, reason: "The job that was to start this session was interrupted.")),
        at(18, 45, .fails(session: 1237, reason: "oauth_required")),
        at(19, 20, .restarts(session: 1216)),
    ]

    /// Pull requests on their way into main.
    private static let merges: [Event] = [
        // Authorized; the agent finds a conflict, resolves it and rests. Somebody has to remind it.
        at(7, 30, .ci(session: 1208, .pass)),
        at(
            7, 55, .willEnd(session: 1208, [.rests(saying: "The branch was behind main. I rebased it; CI runs again.")])
        ),
        at(8, 5, .authorizesMerge(session: 1208)),
        at(8, 12, .ci(session: 1208, .pending)),
        at(8, 31, .ci(session: 1208, .pass)),
        // Authorized and merged, with nobody's help.
        at(11, 0, .authorizesMerge(session: 1209)),
        // Authorized, reminded, and stopped by a conflict until a person settles it.
        at(14, 0, .willEnd(session: 1210, [.rests(saying: "Shall I squash the commits first?")])),
        at(14, 2, .authorizesMerge(session: 1210)),
        at(14, 19, .conflict(session: 1210, true)),
        at(15, 58, .conflict(session: 1210, false)),
        at(16, 2, .says(session: 1210, "No need to squash. Merge it.")),
        // Merged by hand on GitHub.
        at(17, 10, .merged(session: 1211)),
        at(17, 15, .archives(session: 1211)),
        at(12, 40, .ci(session: 1231, .fail)),
        at(12, 55, .says(session: 1231, "The formatter changed under you: run it again.")),
        at(13, 50, .ci(session: 1231, .pass)),
        at(18, 0, .ci(session: 1235, .pass)),
    ]

    /// Sessions that begin during the day.
    private static let newWork: [Event] = [
        at(
            7, 15,
            .starts(
                SessionPlan(
                    id: 1230, title: "Cache the price table", root: "gadgets", turnLength: .minutes(50),
                    script: [.rests(saying: "The cache needs a size. 512 entries?")], pushesWhenResting: true))),
        at(
            8, 40,
            .starts(
                SessionPlan(
                    id: 1231, title: "Add CSV export to the report page", goal: "green-pr", turnLength: .minutes(70),
                    script: [.opensPullRequest(number: 511), .rests(saying: "Formatted and pushed.")],
                    costPerQuarter: 1.4))),
        at(
            9, 5,
            .starts(
                SessionPlan(
                    id: 1232, title: "Explain retries in the handbook", root: "docs-site", model: "sonnet",
                    genesis: "slack", turnLength: .minutes(25), script: [.opensPullRequest(number: 88)],
                    costPerQuarter: 0.3))),
        at(
            10, 30,
            .starts(
                SessionPlan(
                    id: 1233, title: "Benchmark the new index", root: "gadgets", model: "gpt-large", runtime: "codex",
                    genesis: "api", turnLength: .hours(6), script: [.rests(saying: "42% faster on the long tail.")],
                    costPerQuarter: 2.1))),
        at(
            11, 20,
            .starts(
                SessionPlan(
                    id: 1234, title: "Triage the overnight bug reports", genesis: "github_label",
                    turnLength: .minutes(15), script: [.archivesItself], costPerQuarter: 0.2))),
        at(
            13, 55,
            .starts(
                SessionPlan(
                    id: 1235, title: "Split the billing worker", root: "gadgets", turnLength: .hours(3),
                    script: [.opensPullRequest(number: 203)], costPerQuarter: 1.9))),
        at(
            16, 0,
            .starts(
                SessionPlan(
                    id: 1236, title: "Answer review comments", turnLength: .minutes(20),
                    script: [.rests(saying: "Three answered, one needs you.")]))),
        at(
            17, 30,
            .starts(
                SessionPlan(
                    id: 1237, title: "Sync the calendar of releases", genesis: "api", turnLength: .hours(2),
                    costPerQuarter: 0.4))),
        at(
            21, 0,
            .triggerFires(
                7,
                SessionPlan(
                    id: 1238, title: "Nightly dependency sweep", model: "sonnet", genesis: "schedule",
                    turnLength: .hours(2), script: [.opensPullRequest(number: 512)], costPerQuarter: 0.8))),
        at(23, 20, .ci(session: 1238, .fail)),
    ]

    /// What people do besides.
    private static let people: [Event] = [
        at(8, 15, .says(session: 1230, "512 is fine.")),
        at(9, 0, .favors(session: 1205)),
        // The snooze that somebody takes back; nobody touches the session itself until the afternoon.
        at(10, 20, .unsnoozes(session: 1202)),
        at(15, 0, .says(session: 1202, "Still on it: leave this one open, please.")),
        at(10, 5, .asks(session: 1219, "Rename bucket reports-old to reports-2026?", tool: "rename_bucket")),
        at(10, 30, .answers(session: 1219)),
        at(11, 50, .renames(session: 1207, "Quarterly cleanup (parked)")),
        at(12, 0, .archives(session: 1232)),
        at(16, 45, .archives(session: 1236)),
    ]

    /// The machine's own troubles.
    private static let machine: [Event] = [
        at(13, 5, .egressFails(detail: "primary resolver 192.0.2.53 could not resolve api.example.com")),
        at(13, 7, .fails(session: 1217, reason: "mcp_connection_failed")),
        at(13, 8, .fails(session: 1218, reason: "mcp_connection_failed")),
        at(13, 32, .egressRecovers),
        at(13, 40, .restarts(session: 1217)),
        at(13, 41, .restarts(session: 1218)),
        at(15, 10, .recoveryBegins(reason: "Draining a backlog after a database stall", .minutes(60))),
        at(15, 52, .recoveryEnds),
        at(14, 30, .isHeld(session: 1220, detail: "Spot work is held: the weekly window is at 82% of its 80% target.")),
        at(14, 10, .tool("cloudctl", isAuthenticated: false)),
        at(16, 30, .tool("cloudctl", isAuthenticated: true)),
        at(20, 15, .triggerFails(8, error: "label not found on example/widgets")),
    ]

    /// Text that tries to be more than text. Every one of these reaches a rule.
    private static let hostileTitles: [Event] = [
        at(8, 20, .fails(session: 1221, reason: "spawn_failed")),
        at(9, 10, .restarts(session: 1221)),
        at(17, 0, .fails(session: 1222, reason: "context_length_compact_failed")),
        at(17, 40, .archives(session: 1222)),
        at(19, 10, .fails(session: 1224, reason: "`rm -rf /` <script>alert(1)</script>")),
    ]

    /// What headless calls cost, hour by hour.
    private static let smallSpend: [Event] = (6..<30).map { hour in
        at(hour, 25, .spends(0.11 + Double(hour % 5) * 0.03, root: "widgets", model: "sonnet"))
    }
}
