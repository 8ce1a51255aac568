import BotTestSupport
import DemoZimmer
import FaultProxy
import Foundation

/// One bot as it is run, with a Zimmer and a receiver of webhooks of its own, and a bad network before both.
final class ChaosStage: Sendable {
    let server: DemoServer
    let webhook: RecordingWebhook
    let zimmerProxy: FaultProxy
    let webhookProxy: FaultProxy
    let directory: TemporaryDirectory

    init(seed: UInt64) throws {
        let now = ServerTime(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000))
        var state = ZimmerState(now: now)
        state.pollsPullRequests = false
        state.agent.outcome = .keepsRunning
        ChaosEvents.populate(&state)
        // In step with this machine's clock until it is put forward.
        server = try DemoServer(state: state, clock: .running(from: now, speed: 1))
        webhook = try RecordingWebhook()
        zimmerProxy = try FaultProxy(to: server.port, plan: Self.zimmerPlan(seed), lateness: Self.lateness)
        webhookProxy = try FaultProxy(to: webhook.port, plan: Self.webhookPlan(seed &+ 1))
        directory = try TemporaryDirectory(inMemory: true)
        try directory.write(Self.rules(zimmerProxy.url), to: "rules.yaml")
    }

    deinit {
        zimmerProxy.stop()
        webhookProxy.stop()
        server.stop()
        webhook.stop()
    }

    // MARK: - The program

    private var environment: [String: String] {
        [
            "HOME": directory.path, "ZIMMER_API_KEY": server.apiKey,
            "PAGER_URL": "\(webhookProxy.url)/hook",
        ]
    }

    func start() throws -> ChildProcess {
        try ChildProcess(
            ["run", "-c", directory.path("rules.yaml"), "--state", directory.path("state")], environment: environment,
            companion: self)
    }

    func command(_ arguments: String...) async throws -> ChildProcess.Result {
        try await ChildProcess.run(arguments + ["--state", directory.path("state")], environment: environment)
    }

    var databasePath: String { directory.path("state/zimmer-bot.sqlite") }

    /// How often the board was read, as far as its first page came.
    var polls: Int { server.received(.boardPage(1)).count }

    // MARK: - The network

    private static let probability = 0.2
    /// Seconds.
    static let lateness = 2.0

    /// What holds a request up for half a minute is rare, or nothing else would happen.
    private static func often(_ faults: [ProxyFault]) -> [ProxyFault] {
        let slow: Set<ProxyFault> = [.timeout, .slowBody, .hugeBody]
        return faults.flatMap { Array(repeating: $0, count: slow.contains($0) ? 1 : 4) }
    }

    private static func zimmerPlan(_ seed: UInt64) -> FaultPlan {
        FaultPlan([FaultPlan.Rule(nil, nil, often(ProxyFault.allCases), probability: probability)], seed: seed)
    }

    /// A receiver that says 200, or sends its callers elsewhere for good, has said what became of the message.
    private static func webhookPlan(_ seed: UInt64) -> FaultPlan {
        let faults = ProxyFault.allCases.filter { ![.loginPage, .loginRedirect].contains($0) }
        return FaultPlan([FaultPlan.Rule(nil, nil, often(faults), probability: probability)], seed: seed)
    }

    /// From now on nothing goes wrong.
    func calm() {
        zimmerProxy.plan = FaultPlan()
        webhookProxy.plan = FaultPlan()
    }
}

extension ChaosStage {
    /// Every text that is written says which episode of which session it belongs to, so that no two are the same.
    private static func rules(_ url: String) -> String {
        let which = "{{ session.id }}.{{ episode.number }}"
        return """
            zimmer:
              url: \(url)
              api_key: {env: ZIMMER_API_KEY}
              poll: {board: 1s, health: 1s, costs: 1m}
              limit: {per_hour: 1000000, per_day: 1000000}
            channels:
              pager: {adapter: webhook, url: {env: PAGER_URL}}
            notices: {channels: [pager]}
            defaults:
              limit: {per_poll: 1000, per_hour: 1000000, per_subject_per_day: 1000000}
            rules:
              - name: failed
                watch: session
                if: session.status == "failed"
                do:
                  - {post: pager, text: "\(which) failed"}
                  - {wait: 1s}
                  - {post: pager, text: "\(which) is still failed"}
                resolved:
                  - {post: pager, text: "\(which) goes on"}
              - name: asks
                watch: session
                if: session.title == "asks" && session.status == "needs_input"
                do:
                  - {follow_up: {prompt: "Go on, \(which)."}}
                  - {post: pager, text: "\(which) was asked"}
              - name: notes
                watch: session
                if: session.title == "notes" && session.status == "needs_input"
                do:
                  - {note: {append: "seen \(which)"}}
                  - {log: {text: "noted \(which)", level: info}, on_error: continue}
                  - {post: pager, text: "\(which) was noted"}
              - name: stars
                watch: session
                if: session.title == "stars" && session.status == "needs_input"
                do:
                  - favorite: true
                  - {post: pager, text: "\(which) has a star"}
                resolved:
                  - favorite: false
              - name: hides
                watch: session
                if: session.title == "hides" && session.status == "needs_input"
                do:
                  - hide
                  - {wait: 1s}
                  - {snooze: {for: 7d}}
                resolved:
                  - show
                  - {post: pager, text: "\(which) is shown"}
              - name: ends
                watch: session
                if: session.title == "ends" && session.status == "needs_input"
                do:
                  - {log: {text: "ends \(which)", level: info}}
                  - archive
                  - {post: pager, text: "\(which) is in the trash"}
              - name: fails
                watch: session
                if: session.title == "fails" && session.status == "failed"
                do:
                  - {start: {agent_root: widgets, prompt: "Look at \(which).", title: helps}}
                  - {push: {message: "\(which) failed"}, on_error: continue}
                  - restart
              - name: sets
                watch: session
                if: session.title == "sets" && session.status == "needs_input"
                do:
                  - {set: {goal: "reach \(which)"}}
                  - {heartbeat: {enabled: true, interval: 5m}}
                resolved:
                  - {heartbeat: {enabled: false}}
              - name: turns
                watch: session
                if: session.title == "turns" && session.status == "needs_input"
                do:
                  - {trigger: {id: 3, enabled: false}}
                resolved:
                  - {trigger: {id: 3, enabled: true}}
              - name: fires
                watch: session
                if: session.title == "fires" && session.status == "needs_input"
                do:
                  - {invoke: {id: 4, variables: {text: "fire \(which)"}}}
                  - {post: pager, text: "\(which) has fired"}
              - name: naps
                watch: session
                if: session.title == "naps" && session.status == "needs_input"
                do:
                  - sleep
                  - {post: pager, text: "\(which) sleeps"}
              - name: stops
                watch: session
                if: session.title == "stops" && session.status == "running"
                do:
                  - pause
                  - {post: pager, text: "\(which) was stopped"}
              - name: waits
                watch: session
                if: session.title == "waits" && session.status == "waiting"
                do:
                  - start_now
                  - {post: pager, text: "\(which) was started"}
              - name: models
                watch: session
                if: session.title == "models" && session.status == "needs_input"
                do:
                  - {model: "model-\(which)"}
                  - {post: pager, text: "\(which) has a model"}
              - name: retries
                watch: session
                if: session.title == "retries" && session.status == "failed"
                do:
                  - retry_failed
                  - {post: pager, text: "\(which) is tried again"}
              - name: operates
                watch: session
                if: session.title == "operates" && session.status == "needs_input"
                do:
                  - {enter_recovery: {reason: "\(which)", ttl: 5m}}
                  - exit_recovery
                  - backfill_costs
                  - {post: pager, text: "\(which) is recovered"}
                  - cleanup_processes
              - name: minute
                schedule: "* * * * *"
                do:
                  - {post: pager, text: "slot {{ slot.time }}"}
            """
    }
}
