/// The board of Friday morning, before anything happens.
enum FridayMorning {
    static func fill(_ state: inout ZimmerState) {
        stale(&state)
        pullRequests(&state)
        atWork(&state)
        hostile(&state)
        trash(&state)
        surroundings(&state)
        history(&state)
    }

    /// Sessions that nobody touched for days. Two become stale only during the day.
    private static func stale(_ state: inout ZimmerState) {
        let now = state.now
        let idle: [(id: Int, title: String, hours: Int)] = [
            (1201, "Try the new queue", 118), (1202, "Remove dead feature flags", 97),
            (1203, "Ask legal about the licence", 211), (1204, "Profile memory under load", 71),
            (1205, "Investigate the slow deploy", 64),
        ]
        for (id, title, hours) in idle {
            rest(&state, id, title, hoursAgo: hours, saying: "I need a decision before I go on.")
        }
        rest(&state, 1206, "Prepare the Monday demo", hoursAgo: 90, saying: "Ready. See you on Monday.") { session in
            session.visibility = .snoozed
            session.snoozedUntil = now + .days(3)
        }
        rest(&state, 1207, "Quarterly cleanup", hoursAgo: 260, saying: "Parked.") { $0.visibility = .hidden }
    }

    private static func pullRequests(_ state: inout ZimmerState) {
        let now = state.now
        let pulls: [(id: Int, title: String, number: Int, ci: PullRequest.CI?, hours: Int)] = [
            (1208, "Paginate the audit log", 487, .pending, 20), (1209, "Fix the flaky login test", 492, .pass, 15),
            (1210, "Upgrade the HTTP client", 495, .pass, 13), (1211, "Replace the date picker", 498, .fail, 11),
        ]
        for (id, title, number, ci, hours) in pulls {
            let words = "https://github.com/example/widgets/pull/\(number) is open. Ready for your review."
            rest(&state, id, title, hoursAgo: hours, saying: words) { session in
                session.goal = "green-pr"
                session.transcriptLineCount = 640
                session.pullRequestsReadAt = now
                session.pullRequests = [PullRequest(repository: "example/widgets", number: number, ci: ci)]
                session.pullRequests[0].labels = id == 1209 ? ["ready to merge"] : nil
            }
        }
    }

    /// Sessions that are running or waiting when the day begins.
    private static func atWork(_ state: inout ZimmerState) {
        let now = state.now
        let running: [(id: Int, title: String, root: String, length: Int)] = [
            (1212, "Sync the wiki", "docs-site", 240), (1213, "Build the arm image", "gadgets", 400),
            (1214, "Migrate the test suite", "widgets", 700), (1216, "Port the command line", "widgets", 900),
            (1217, "Crawl the partner pages", "gadgets", 800), (1218, "Backfill thumbnails", "gadgets", 800),
            (1219, "Move the report buckets", "widgets", 600), (1220, "Refactor the mailer", "widgets", 700),
        ]
        for (id, title, root, length) in running {
            work(&state, id, title, root: root, minutes: length)
        }
        state.addSession(id: 1215, title: "Watch the release train", status: .waiting) { session in
            session.createdAt = now - .hours(30)
            session.lastUserActivityAt = now - .hours(11)
            session.runtimeSessionID = uuid(of: "runtime", 1215)
            session.metadata["deliberate_sleep_at"] = JSON(now - .hours(2))
        }
    }

    private static func hostile(_ state: inout ZimmerState) {
        work(&state, 1221, "**Fix** [the login](javascript:alert(1)) `now` <b>please</b>", minutes: 500)
        work(&state, 1222, "@everyone @room @here look at <!channel> now", minutes: 900)
        work(&state, 1224, "Rename \u{202E}txt.exe\u{202C} and \u{2066}friends\u{2069} \u{200B}quietly", minutes: 990)
        rest(
            &state, 1223, "Two lines\r\nPRIVMSG #ops :and a \u{7}bell, \u{1B}[31mred\u{1B}[0m", hoursAgo: 99,
            saying: "Done.\n\n# Not a heading")
        rest(
            &state, 1225,
            "{{ session.id }} \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} " + String(repeating: "wide ", count: 14),
            hoursAgo: 40, saying: "{{ '{{' }}")
    }

    private static func trash(_ state: inout ZimmerState) {
        let now = state.now
        for (id, title, days) in [(1190, "Old spike", 2), (1189, "Merged last week", 7), (1188, "Never started", 15)] {
            rest(&state, id, title, hoursAgo: days * 24, saying: "Done.") { session in
                session.status = .archived
                session.archivedAt = now - .days(days)
                session.trashAfter = id == 1190 ? now + .days(2) : nil
            }
        }
        rest(&state, 1200, "Convert the fixtures", hoursAgo: 9, saying: "") { session in
            session.status = .failed
            session.failureReason = "git_clone_failed"
            session.metadata["exception_message"] = "repository not found"
        }
        state.log("Clone failed: repository not found", level: "error", in: 1200)
        state.notify("session_failed", about: 1200)
    }

    private static func surroundings(_ state: inout ZimmerState) {
        let now = state.now
        var nightly = Trigger(id: 7, name: "Nightly sweep", createdAt: now - .days(56))
        nightly.lastTriggeredAt = now - .hours(9)
        var labelled = Trigger(id: 8, name: "Labelled issues", createdAt: now - .days(40))
        labelled.conditionType = "github_label"
        labelled.condition = "Label agent on example/widgets"
        labelled.configuration = ["repo": "example/widgets", "label": "agent"]
        state.triggers = [nightly, labelled]
        state.backlog = [
            BacklogItem(
                id: 14, key: "widgets#212", repository: "example/widgets", title: "Return totals in one query",
                addedAt: now - .days(2))
        ]
    }

    /// Thirty days of spend: busy on weekdays, quiet at the weekend, never the same twice.
    private static func history(_ state: inout ZimmerState) {
        let now = state.now
        var random = SplitMix(seed: 2026)
        let rates: [(root: String, model: String, runtime: String, usd: Double)] = [
            ("widgets", "opus", "claude_code", 1.6), ("gadgets", "sonnet", "claude_code", 0.8),
            ("docs-site", "gpt-large", "codex", 0.4),
        ]
        for hour in (1...720).reversed() {
            let time = now - .hours(hour)
            // Midnight in Chicago was six hours ago, and today is a Friday: five days back is a Sunday.
            let isWeekend = [5, 6].contains((hour + 17) / 24 % 7)
            for (index, rate) in rates.enumerated() {
                let factor = Double.random(in: 0.5..<1.5, using: &random) * (isWeekend ? 0.15 : 1)
                state.ledger.add(
                    Spend(
                        at: time, usd: rate.usd * factor, root: rate.root, model: rate.model, runtime: rate.runtime,
                        sessionID: 1188 + (hour + index) % 3, isSubagent: hour % 4 == 0))
            }
            state.ledger.add(Spend(at: time, usd: 0.1, root: "widgets", model: "sonnet"))
            // A model without a price counts as nothing, and the report says so.
            state.ledger.add(Spend(at: time, usd: 0, root: "widgets", model: "local-small", runtime: "pi"))
        }
    }

    // MARK: - Building blocks

    /// A session at rest that a person touched that long ago.
    private static func rest(
        _ state: inout ZimmerState, _ id: Int, _ title: String, hoursAgo: Int, saying words: String,
        _ configure: (inout Session) -> Void = { _ in }
    ) {
        let now = state.now
        let touched = now - .hours(hoursAgo)
        state.addSession(id: id, title: title) { session in
            session.createdAt = touched - .hours(3) - .minutes(id % 60)
            session.updatedAt = touched
            session.lastUserActivityAt = touched
            session.conversation = [
                ConversationMessage(role: "user", content: session.prompt ?? title, timestamp: touched),
                ConversationMessage(role: "assistant", content: words, timestamp: touched + .minutes(20)),
            ]
            configure(&session)
        }
    }

    /// A session whose turn ends that long after the day began.
    private static func work(
        _ state: inout ZimmerState, _ id: Int, _ title: String, root: String = "widgets", minutes: Int
    ) {
        let now = state.now
        state.addSession(id: id, title: title, status: .waiting) { session in
            session.agentRoot = root
            session.gitRoot = "https://github.com/example/\(root).git"
            session.createdAt = now - .minutes(id % 90 + 30)
            session.lastUserActivityAt = session.createdAt
            session.turnLength = .minutes(minutes)
            session.costPerQuarter = 0.4 + Double(id % 7) * 0.15
        }
        state.startTurn(of: id)
    }
}
