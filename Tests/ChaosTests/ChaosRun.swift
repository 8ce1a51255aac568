import BotTestSupport
import DemoZimmer
import FaultProxy
import Foundation

/// A bot's life under chaos: started, killed at a moment that nobody chose, started again; and in the end left in peace.
struct ChaosRun {
    let stage: ChaosStage
    let seed: UInt64
    /// When the bot was killed, by Zimmer's clock.
    private(set) var kills: [ServerTime] = []
    /// What should not have happened.
    private(set) var problems: [String] = []
    private var moments: Moments

    init(seed: UInt64) throws {
        self.seed = seed
        stage = try ChaosStage(seed: seed)
        moments = Moments(seed: seed &* 31)
    }

    /// - Parameter duration: of the chaos; the peace after it is not counted.
    mutating func run(for duration: Duration) async throws {
        let end = ContinuousClock.now + duration
        let events = Task { [server = stage.server, seed] in
            var events = ChaosEvents(seed: seed)
            while !Task.isCancelled {
                events.happen(on: server)
                events.speak(on: server)
                try await Task.sleep(for: .milliseconds(150))
            }
        }
        while ContinuousClock.now < end {
            try await liveOnce()
            if kills.count.isMultiple(of: 3) { try await letTimePass() }
        }
        events.cancel()
        _ = try? await events.value
        stage.calm()
        try await rest()
    }

    private mutating func liveOnce() async throws {
        let bot = try stage.start()
        let writes = stage.server.writes.count
        switch Int.random(in: 0..<4, using: &moments) {
        // While it starts.
        case 0: try await moments.pass(atMost: 200)
        // Just after something was written, while that is being written down; or when nothing is for a while.
        case 1:
            try await until(atMost: .seconds(2)) { $0.server.writes.count > writes }
            try await moments.pass(atMost: 5)
        // After a poll or two, anywhere.
        default:
            let polls = stage.polls
            try await until(atMost: .seconds(2)) { $0.polls > polls }
            try await moments.pass(atMost: 1_200)
        }
        try await kill(bot)
    }

    /// A minute or two of Zimmer's clock: what was lost is looked for only so long. Nothing is on its way by then.
    private mutating func letTimePass() async throws {
        try await until(atMost: .seconds(5)) { !$0.zimmerProxy.isBusy }
        guard !stage.zimmerProxy.isBusy else { return }
        stage.server.advance(by: .seconds(Int.random(in: 30...120, using: &moments)))
    }

    private func until(atMost limit: Duration, _ holds: (ChaosStage) -> Bool) async throws {
        let end = ContinuousClock.now + limit
        while !holds(stage), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
    }

    private mutating func kill(_ bot: ChildProcess) async throws {
        kills.append(stage.server.now)
        bot.killAtOnce()
        let status = await bot.exitStatus()
        guard status != .signalled(SIGKILL) else { return }
        let result = await bot.result()
        problems.append("the bot ended by itself, \(status): \(result.standardError.suffix(500))")
    }

    /// Lets what was begun come to its end.
    private mutating func rest() async throws {
        // What is still on its way comes before any minute passes.
        try await until(atMost: .seconds(10)) { !$0.zimmerProxy.isBusy }
        ChaosEvents.end(on: stage.server)
        let bot = try stage.start()
        let end = ContinuousClock.now + .seconds(150)
        // Twice, as the last thing that ends may be a reason to say something.
        var calm = 0
        while calm < 2, ContinuousClock.now < end {
            let polls = stage.polls
            try await until(atMost: .seconds(10)) { $0.polls > polls + 1 }
            calm = try ChaosLedger.isFinal(stage) ? calm + 1 : 0
            if calm > 0 { continue }
            // Answers are looked for, and tries come again, by Zimmer's clock.
            stage.server.advance(by: .minutes(2))
            ChaosEvents.end(on: stage.server)
        }
        bot.signal(SIGTERM)
        let result = await bot.result()
        if result.status != .exited(0) {
            problems.append("the bot did not stop in order, \(result.status): \(result.standardError.suffix(500))")
        }
    }
}
