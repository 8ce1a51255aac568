import BotTestSupport
import DemoZimmer
import FaultProxy
import Rules
import Testing

/// Every write and every fault: what the ledger says in the end is what the server holds, and nothing happened twice.
@Suite(.timeLimit(.minutes(10))) struct LostAnswerTests {
    @Test(arguments: WriteCase.all, ProxyFault.allCases)
    func `a write that meets a fault ends as it is written down`(write: WriteCase, fault: ProxyFault) async throws {
        let stage = try await LossStage(write)
        stage.meets(fault, times: 1)
        try await stage.allow()
        try await stage.settle()
        try stage.expectAgreement()
        if write.isState || fault.hasEffect && write.isFound { #expect(try stage.end == "done") }
    }

    /// Those of which the second time is another thing than the first.
    private static let lasting: [ProxyFault] = [.closedBefore, .closedAfter, .serverErrorAfter, .late]

    @Test(arguments: WriteCase.all, lasting)
    func `a write that meets the same fault three times ends as it is written down`(
        write: WriteCase, fault: ProxyFault
    ) async throws {
        let stage = try await LossStage(write)
        stage.meets(fault, times: 3)
        try await stage.allow()
        try await stage.settle()
        try stage.expectAgreement()
        if write.isState { #expect(try stage.end == "done") }
    }

    @Test(arguments: WriteCase.all, 1...2)
    func `a write in a network where every third request meets some fault ends as it is written down`(
        write: WriteCase, seed: Int
    ) async throws {
        let stage = try await LossStage(write)
        stage.meetsEverything(seed: UInt64(seed))
        try await stage.allow()
        await stage.simulation.pass(.minutes(8))
        stage.meetsNothing()
        try await stage.settle()
        try stage.expectAgreement()
        if write.isState { #expect(try stage.end == "done") }
    }
}

/// A bot with one rule that makes one write to session 7, a server, and a proxy between them.
private struct LossStage {
    let write: WriteCase
    let simulation: Simulation
    private let proxy: FaultProxy

    init(_ write: WriteCase) async throws {
        self.write = write
        let server = try DemoServer()
        server.update { state in
            state.agent.outcome = .keepsRunning
            state.addSession(id: 7, title: "Sync the wiki")
            write.prepare(&state)
        }
        // What was so for a while is told from what came of a call.
        server.advance(by: .minutes(5))
        proxy = try FaultProxy(to: server.port, drip: 0.1, keepsLate: true)
        let (person, isAsked) = ("@pat:example.org", write.confirmed != nil)
        let confirmation = #"confirm: {in: ops, by: ["\#(person)"], within: 8h}"#
        let account = #"  sign_in: {client: zimmer-ios, person: "\#(person)"}"#
        simulation = try Simulation(
            """
              - name: act
                watch: \(write.watch)
                if: \(write.condition)
                do:
                  - \(write.step)
                    \(isAsked ? confirmation : "")
            """, on: server, polls: "{board: 30s, health: 10m, costs: 1h, elicitations: 30s}",
            account: isAsked ? account : "", through: proxy
        ) { file in
            if let kind = write.replacement { file.rules[0].steps[0].action.replace(by: kind) }
        }
        if isAsked { try await simulation.signIn() }
    }

    func meets(_ fault: ProxyFault, times: Int) {
        proxy.plan = FaultPlan([FaultPlan.Rule(write.method, write.path, [fault], times: times)])
    }

    func meetsEverything(seed: UInt64) {
        // A body of 64 MiB for every page of the board only takes time.
        let faults = ProxyFault.allCases.filter { $0 != .hugeBody }
        proxy.plan = FaultPlan([FaultPlan.Rule(nil, nil, faults, probability: 0.33)], seed: seed)
    }

    func meetsNothing() {
        proxy.plan = FaultPlan()
    }

    /// Lets the run begin, and a person say yes where one is asked.
    func allow() async throws {
        guard let confirmed = write.confirmed else { return }
        var polls = 0
        while try simulation.runs(of: "act").isEmpty, polls < 60 {
            await simulation.pass(polls == 0 ? .zero : .seconds(30))
            polls += 1
        }
        try simulation.approve(confirmed(simulation.server.state), by: "@pat:example.org")
    }

    /// Lets time pass until the run has ended and no request is on its way.
    func settle() async throws {
        // What comes late comes after another poll, but within the time for which the bot looks for it.
        await simulation.pass(.seconds(45))
        proxy.releaseLate()
        await proxy.rest()
        var minutes = 0
        while try !isSettled, minutes < 180 {
            await simulation.pass(.minutes(1))
            minutes += 1
        }
        await proxy.rest()
        // What came late may not be answered by another write.
        await simulation.pass(.minutes(1))
    }

    private var isSettled: Bool {
        get throws { try !simulation.runs(of: "act").isEmpty && !["writing", "waiting"].contains(end) }
    }

    /// How the run ended.
    var end: String? {
        get throws { try simulation.runs(of: "act").first?.state }
    }

    func expectAgreement() throws {
        let effects = write.effects(simulation.server)
        let end = try self.end
        let told: Comment = "\(end ?? "-"), \(effects) effects; \(simulation.writes); \(try simulation.trail("act"))"
        #expect(try simulation.runs(of: "act").count == 1, told)
        switch end {
        case "done": #expect(effects == 1, told)
        case "refused", "withdrawn", "gave_up": #expect(effects == 0, told)
        case "unknown":
            #expect(effects <= 1, told)
            #expect(simulation.notices.contains { $0.contains("is unknown, and is not repeated") }, told)
        default: Issue.record(told)
        }
    }
}

extension Step.Action {
    /// Makes the same write another.
    fileprivate mutating func replace(by kind: Write.Kind) {
        guard case .write(var write) = self else { return }
        write.kind = kind
        self = .write(write)
    }
}
