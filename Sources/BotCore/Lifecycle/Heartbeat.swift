import AdapterKit
import CEL
import Rules

/// Calls an address for as long as the bot does its work. When it does not, it is silent: somebody who waits for the call
/// then rings (a dead man's switch).
///
/// Holds nothing up: it looks at the others and waits for none of them but the ledger.
struct Heartbeat: Sendable {
    let target: HeartbeatTarget
    let version: String
    let clock: any BotClock
    let log: any AdapterLog
    let health: @Sendable () async -> BotHealth
    /// Told what keeps the call from arriving when that has lasted; nil when it arrives.
    let notice: @Sendable (String?) async -> Void

    private static let timeout: Duration = .seconds(10)
    /// A call that fails for less is not worth a notice.
    static let patience: Duration = .seconds(300)

    /// What was said last.
    private struct Memory {
        var reasons: [String] = []
        var failingSince: Duration?
    }

    func run() async {
        var memory = Memory()
        while !Task.isCancelled {
            let pause = await pass(&memory)
            do { try await clock.sleep(for: pause) } catch { return }
        }
    }

    /// Looks once, and calls if all is well; returns how long to wait.
    private func pass(_ memory: inout Memory) async -> Duration {
        switch await health() {
        case .starting: return min(target.interval, .seconds(1))
        case .ill(let reasons):
            if reasons != memory.reasons {
                log.write(.error, "no heartbeat is sent", [("because", reasons.joined(separator: "; "))])
            }
            memory.reasons = reasons
        case .well:
            if !memory.reasons.isEmpty { log.write(.info, "the heartbeat goes on") }
            memory.reasons = []
            await call(&memory)
        }
        return target.interval
    }

    private func call(_ memory: inout Memory) async {
        let problem = await send()
        if Task.isCancelled { return }
        guard let problem else {
            if memory.failingSince != nil {
                log.write(.info, "the heartbeat arrives again")
                await notice(nil)
            }
            memory.failingSince = nil
            return
        }
        if memory.failingSince == nil { log.write(.warning, "the heartbeat did not arrive", [("problem", problem)]) }
        let since = memory.failingSince ?? clock.elapsed()
        memory.failingSince = since
        if clock.elapsed() - since >= Self.patience { await notice(problem) }
    }

    /// Calls once; says why that did not work. Names the host at most, as the address is a secret.
    private func send() async -> String? {
        let request = HTTPRequest(
            .get, target.address.reveal(), headers: [("User-Agent", "zimmer-bot/\(version)")], timeout: Self.timeout,
            isRepeatable: true, maximumBody: 16 << 10, cutsBody: true)
        do throws(HTTPError) {
            let status = try await target.transport.send(request).status
            switch status {
            case 200..<300: return nil
            case 300..<400: return "\(target.shown) redirects (\(status)), which is not followed"
            default: return "\(target.shown) answered \(status)"
            }
        } catch {
            return error.description
        }
    }
}

/// Where the heartbeat goes to.
package struct HeartbeatTarget: Sendable {
    var address: Secret
    /// The part of it that may be shown.
    var shown: HTTPAddress
    var interval: Duration
    var transport: any HTTPTransport
}
