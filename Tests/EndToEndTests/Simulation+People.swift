import AdapterKit
import BotTestSupport
import CEL
import DemoZimmer
import Foundation
import Rules
import Testing

@testable import BotCore

/// What people do for a bot: they sign in, and they say yes.
extension Simulation {
    /// As `zimmer-bot login` with the client `zimmer-ios` does it, on the server itself.
    func signIn(actsForPerson: Bool = true) async throws {
        server.update { [url] in $0.oauth.issuer = url }
        let address = try #require(ZimmerAddress(server.url))
        let wire = ZimmerWire(address: address, edge: nil, transport: CurlTransport(), version: "test")
        let question = AuthorizationRequest(.zimmerIOS, issuer: url)
        let answer = try #require(server.decide(.approve(actsForPerson: actsForPerson), at: question.url))
        let now = Timestamp(seconds: server.now.millisecondsSince1970 / 1_000)
        let pair = try await TokenEndpoint(wire: wire, issuer: url).exchange(question.code(in: answer), asked: now)
        let folder = URL(filePath: storePath).deletingLastPathComponent().path
        try SignInStore(StateDirectory(folder)).save(
            SignInRecord(client: .zimmerIOS, server: url, signedInAt: now, state: .active(pair, doubtedSince: nil)))
    }

    /// Allows what the runs wait for, as the one who is asked will have it written. Until chat brings a person's word, only a
    /// row in the store does.
    func approve(_ request: WriteRequest, by person: String, usedAt: Timestamp? = nil) throws {
        let now = Int64(server.now.millisecondsSince1970) * 1_000
        try Database(at: storePath, as: .writer).run(
            "INSERT INTO approvals (run, step, request, person, at, used_at) SELECT id, step, ?, ?, ?, ? FROM runs",
            String(decoding: JSONEncoder().encode(request), as: UTF8.self), person, now, usedAt?.microseconds)
    }
}
