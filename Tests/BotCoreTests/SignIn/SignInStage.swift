import AdapterKit
import BotTestSupport
import CEL
import DemoZimmer
import Foundation
import Testing

@testable import BotCore

/// A simulated Zimmer that signs people in, and what keeps a sign-in, on one clock.
final class SignInStage: Sendable {
    let server: DemoServer
    let directory: TemporaryDirectory
    let edge: EdgePass?

    init(edge: EdgePass? = nil, _ configure: (inout ZimmerState) -> Void = { _ in }) throws {
        var state = ZimmerState(now: DemoServer.morning)
        configure(&state)
        server = try DemoServer(state: state)
        directory = try TemporaryDirectory()
        self.edge = edge
    }

    deinit {
        server.stop()
    }

    var clock: SteppingClock { SteppingClock(server: server) }
    var store: SignInStore { SignInStore(StateDirectory(directory.path)) }

    func endpoint(at url: String? = nil) throws -> TokenEndpoint {
        let address = try #require(ZimmerAddress(url ?? server.url))
        let wire = ZimmerWire(address: address, edge: edge, transport: CurlTransport(), version: "1.2.3")
        return TokenEndpoint(wire: wire, issuer: server.url)
    }

    func place(_ client: SignInClient = .zimmerIOS, at url: String? = nil) throws -> SignIn.Place {
        SignIn.Place(client: client, endpoint: try endpoint(at: url))
    }

    /// Another process that has just started.
    func holder(_ client: SignInClient = .zimmerIOS) throws -> SignIn {
        SignIn(store, at: try place(client), clock: clock)
    }

    func actor(
        _ signIn: SignIn, as client: SignInClient = .zimmerIOS, allowed: Set<ZimmerCall> = Set(ZimmerCall.allCases)
    ) throws -> ActingClient {
        ActingClient(try endpoint().wire, as: client, of: "@pat:example.org", signIn, allowed: allowed)
    }

    /// A person signs the bot in.
    @discardableResult
    func signIn(_ client: SignInClient = .zimmerIOS, actsForPerson: Bool = true) async throws -> TokenPair {
        let question = AuthorizationRequest(client, issuer: server.url)
        let answer = try #require(server.decide(.approve(actsForPerson: actsForPerson), at: question.url))
        let code = try question.code(in: answer)
        let now = clock.now()
        let pair = try await endpoint().exchange(code, asked: now)
        try store.save(
            SignInRecord(client: client, server: server.url, signedInAt: now, state: .active(pair, doubtedSince: nil)))
        return pair
    }

    /// The refresh tokens that were presented, in order, each with the time.
    var presented: [(token: String, at: ServerTime)] {
        server.received(.token).compactMap { record in
            let form = String(decoding: record.request.body, as: UTF8.self)
            let fields = form.split(separator: "&").map { $0.split(separator: "=").map(String.init) }
            return fields.first { $0[0] == "refresh_token" }.map { ($0[1], record.time) }
        }
    }

    var file: String { (try? String(contentsOfFile: store.path, encoding: .utf8)) ?? "" }

    func sessionToMerge() -> Int {
        server.update { state in
            state.addSession(title: "Fix login") { session in
                session.pullRequests = [PullRequest(url: "https://github.com/acme/web/pull/7", state: .open, ci: .pass)]
            }
        }
    }
}

/// A simulated server's clock, on which whoever sleeps lets the time pass.
struct SteppingClock: BotClock {
    let server: DemoServer

    func now() -> Timestamp {
        let milliseconds = server.now.millisecondsSince1970
        return Timestamp(seconds: milliseconds / 1_000, nanoseconds: Int32(milliseconds % 1_000) * 1_000_000)
    }

    func elapsed() -> Duration { .milliseconds(server.now.millisecondsSince1970) }

    func sleep(for duration: Duration) async throws { server.advance(by: duration) }
}

extension SignInError {
    /// Which of them, for comparison.
    var name: String {
        switch self {
        case .none: "none"
        case .ended: "ended"
        case .inDoubt: "in doubt"
        case .foreign: "foreign"
        case .store: "store"
        case .failed(let error): "failed: \(error.code.rawValue)"
        }
    }
}

extension WriteOutcome {
    /// Which of them, with the words for people.
    var words: String {
        switch self {
        case .done(let receipt): "done: \(receipt.message ?? "")"
        case .refused(let error): "refused: \(error)"
        case .retry(let error, _): "retry: \(error)"
        case .lost(let error): "lost: \(error)"
        }
    }
}
