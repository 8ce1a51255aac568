import BotTestSupport
import CEL
import DemoZimmer
import Foundation
import Glibc
import Rules
import Testing

@testable import BotCore

@Suite(.timeLimit(.minutes(10))) struct DoctorSignInTests {
    private let stage: DoctorStage
    private let store: SignInStore

    init() throws {
        stage = try DoctorStage()
        try stage.directory.create()
        store = SignInStore(stage.directory)
    }

    private static let settings = #"sign_in: {client: zimmer-ios, person: "@ann:example.org"}"#
    private static let merging = """
          - name: merge
            watch: session
            if: session.status == "needs_input"
            do: [{authorize_merge: , confirm: {in: ops, by: ["@ann:example.org"], within: 1h}}]
        """

    private func pair(level: SignInLevel = .acting, endsIn left: Duration = .seconds(3_600)) -> TokenPair {
        TokenPair(
            access: AccessToken(secret: APIKey("zmr_oat_hunter2")), expiresAt: stage.now + left,
            refresh: RefreshToken(secret: APIKey("zmr_ort_hunter2")), level: level)
    }

    private func save(_ state: SignInRecord.State, client: SignInClient = .zimmerIOS, server: String? = nil) throws {
        try store.save(
            SignInRecord(client: client, server: server ?? stage.server.url, signedInAt: stage.now, state: state))
    }

    /// Nothing is changed by the look, nothing is asked of Zimmer's tokens, and none is shown.
    private func found(rules: String = DoctorStage.rules, zimmer: String = settings) async throws -> [Finding] {
        let before = try stage.folder.contents(of: "state")
        let found = try await stage.findings("sign-in", rules: rules, zimmer: zimmer)
        #expect(try stage.folder.contents(of: "state") == before)
        #expect(stage.server.received(.token).isEmpty)
        #expect(!found.contains { "\($0)".contains("hunter2") })
        return found
    }

    @Test func `who is signed in, and how far, is said`() async throws {
        try save(.active(pair(), doubtedSince: nil))
        let well = try await found(rules: Self.merging)
        #expect(well.map(\.grade) == [.ok])
        #expect(well.first?.text.contains("signed in as @ann:example.org since ") == true)
        #expect(well.first?.text.contains("acts on the person's behalf, with a token until ") == true)
    }

    @Test func `a level that Zimmer refuses a merge with is a problem where a rule merges`() async throws {
        try save(.active(pair(level: .relay), doubtedSince: nil))
        let needed = try await found(rules: Self.merging)
        #expect(needed.map(\.grade) == [.problem])
        #expect(needed.first?.text.contains("is relay only: Zimmer refuses a merge") == true)
        #expect(needed.first?.advice?.contains("Zimmer's Settings") == true)
        #expect(try await found().map(\.grade) == [.note])
    }

    @Test func `nobody signed in is a problem where a rule needs somebody, and a note elsewhere`() async throws {
        let needed = try await found(rules: Self.merging)
        #expect(needed.map(\.grade) == [.problem])
        #expect(needed.first?.text == "nobody has signed in to Zimmer; it is needed for 'authorize_merge' in merge")
        #expect(needed.first?.advice == "Stop the bot and run 'zimmer-bot login'")
        #expect(try await found().map(\.grade) == [.note])
        #expect(try await found(zimmer: "").isEmpty)
    }

    @Test func `a token that ended while the bot stood still is no trouble until Zimmer forgets the sign-in`()
        async throws
    {
        try save(.active(pair(endsIn: .seconds(-86_400)), doubtedSince: nil))
        let well = try await found()
        #expect(well.map(\.grade) == [.ok])
        #expect(well.first?.text.contains("the bot gets the next one when it runs") == true)
        try save(.active(pair(endsIn: .seconds(-181 * 86_400)), doubtedSince: nil))
        let old = try await found()
        #expect(old.map(\.grade) == [.warning])
        #expect(old.first?.text.contains("longer than Zimmer keeps one") == true)
    }

    @Test func `a sign-in that ended, is in doubt or is another's is said, with what to do`() async throws {
        let states: [(SignInRecord.State, SignInClient, String?, String)] = [
            (
                .ended(reason: "invalid_grant", at: stage.now), .zimmerIOS, nil,
                "Zimmer has ended the sign-in (invalid_grant)"
            ),
            (
                .active(pair(endsIn: .seconds(-1)), doubtedSince: stage.now + .seconds(-600)), .zimmerIOS, nil,
                "the answer to a refresh of the sign-in got lost"
            ),
            (.active(pair(), doubtedSince: nil), .registered("zmc_1"), nil, "the sign-in is of client zmc_1"),
            (.active(pair(), doubtedSince: nil), .zimmerIOS, "https://other.example", "is for https://other.example"),
        ]
        for (state, client, server, words) in states {
            try save(state, client: client, server: server)
            let needed = try await found(rules: Self.merging)
            #expect(needed.map(\.grade) == [.problem])
            #expect(needed.first?.text.contains(words) == true, "\(needed)")
            #expect(needed.first?.advice?.contains("zimmer-bot login") == true)
            #expect(try await found().map(\.grade) == [.warning])
        }
    }

    @Test func `a sign-in that the rules file does not use is said`() async throws {
        try save(.active(pair(), doubtedSince: nil))
        let found = try await found(zimmer: "")
        #expect(found.map(\.grade) == [.note])
        #expect(found.first?.advice?.contains("zimmer-bot logout") == true)
    }

    @Test(arguments: ["", "{", "[]", #"{"version": 1}"#, #"{"version": 2}"#, "\u{0}\u{FF}"])
    func `a broken file is a problem`(text: String) async throws {
        try stage.folder.write(text, to: "state/sign-in.json")
        #expect(chmod(store.path, 0o600) == 0)
        let found = try await found()
        #expect(found.map(\.grade) == [.problem])
        #expect(found.first?.text == "\(store.path) is damaged")
        #expect(found.first?.advice == "Move it away and sign in again with 'zimmer-bot login'")
    }

    @Test func `a file that others can read, or that leads elsewhere, is a problem`() async throws {
        try save(.active(pair(), doubtedSince: nil))
        #expect(chmod(store.path, 0o644) == 0)
        let open = try await found()
        #expect(open.map(\.grade) == [.problem])
        #expect(open.first?.text.contains("can be read by others") == true)
        #expect(open.first?.advice?.contains("End that sign-in in Zimmer's Settings") == true)
        #expect(try await found(zimmer: "").map(\.grade) == [.warning])
        #expect(unlink(store.path) == 0 && symlink("/dev/null", store.path) == 0)
        let link = try await stage.findings("sign-in", zimmer: Self.settings)
        #expect(link.map(\.grade) == [.problem])
        #expect(link.first?.text.hasPrefix("cannot read \(store.path): ") == true)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `another user's file is a problem`() async throws {
        try save(.active(pair(), doubtedSince: nil))
        #expect(chown(store.path, 12_345, 12_345) == 0)
        let found = try await found()
        #expect(found.map(\.grade) == [.problem])
        #expect(found.first?.text.contains("belongs to another user") == true)
    }

    @Test func `it is said while Zimmer is away too`() async throws {
        try save(.ended(reason: "invalid_grant", at: stage.now), server: "http://127.0.0.1:1")
        let found = try await stage.findings("sign-in", zimmer: Self.settings, url: "http://127.0.0.1:1")
        #expect(found.map(\.grade) == [.warning])
    }
}
