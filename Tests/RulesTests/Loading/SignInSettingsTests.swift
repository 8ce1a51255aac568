import Testing

@testable import Rules

/// `zimmer.edge_token`, `sign_in` and `quick_router_key`, and the step that needs the second.
@Suite struct SignInSettingsTests {
    private func load(_ keys: String, _ rule: String = "") -> (RuleFile?, [RuleDiagnostic]) {
        TestWorld.load(
            """
            zimmer:
              url: https://zimmer.example.com
              api_key: {env: KEY}
            \(keys.split(separator: "\n").map { "  \($0)\n" }.joined())
            channels: {ops: {adapter: console}}
            notices: {channels: ops}
            rules:
            \(rule.isEmpty ? "  - {name: a, watch: session, do: [{post: ops, text: x}]}" : rule)
            """)
    }

    @Test func `what they say is read`() throws {
        let (loaded, diagnostics) = load(
            "edge_token: {file: edge}\nsign_in: {client: zimmer-ios, person: \"@pat:example.org\"}")
        #expect(diagnostics.map(\.description) == [])
        let zimmer = try #require(loaded?.zimmer)
        #expect(zimmer.signIn == ZimmerSettings.SignIn(client: "zimmer-ios", person: "@pat:example.org"))
        #expect(loaded?.secrets.map(\.source) == [.environment("KEY"), .file("edge")])
        #expect(load("").0?.zimmer?.signIn == nil)
        #expect(load("sign_in: {client: zmc_1, person: pat}").0?.zimmer?.signIn?.client == "zmc_1")
    }

    @Test func `a key that nothing uses yet is said to be that`() throws {
        let (loaded, diagnostics) = load("quick_router_key: {env: ROUTER}")
        #expect(diagnostics.map(\.severity) == [.warning])
        #expect(diagnostics.first?.description.contains("is not used by any step of this version") == true)
        #expect(loaded?.zimmer?.quickRouterKey?.source == .environment("ROUTER"))
    }

    @Test(arguments: [
        ("edge_token: eyJhbGciOi", "is a secret, which does not belong in this file"),
        ("quick_router_key: zmr_1", "is a secret, which does not belong in this file"),
        ("sign_in: zimmer-ios", "has to be a map of keys and values"),
        ("sign_in: {client: zimmer-ios}", "'sign_in' needs 'person'"),
        ("sign_in: {person: pat}", "'sign_in' needs 'client'"),
        ("sign_in: {client: zimmer-ois, person: pat}", "did you mean 'zimmer-ios'?"),
        ("sign_in: {client: zmc_, person: pat}", "'client' takes zimmer-ios, or the zmc_… that"),
        ("sign_in: {client: \"zmc_a b\", person: pat}", "'client' takes zimmer-ios"),
        ("sign_in: {client: zimmer-ios, person: pat, level: acting}", "'sign_in' has no key 'level'"),
    ])
    func `what is wrong is an error that says what to write`(keys: String, words: String) {
        let (loaded, diagnostics) = load(keys)
        #expect(loaded == nil)
        #expect(diagnostics.contains { $0.description.contains(words) }, "\(diagnostics)")
        #expect(!diagnostics.contains { $0.description.contains("eyJhbGciOi") || $0.description.contains("zmr_1") })
    }

    @Test(arguments: [
        ("", "[pat]", "needs 'zimmer.sign_in: {client, person}'"),
        ("sign_in: {client: zmc_1, person: pat}", "[pat]", "other clients open /mcp only"),
        ("sign_in: {client: zimmer-ios, person: pat}", "[ann]", "needs pat in 'confirm.by'"),
        ("sign_in: {client: zimmer-ios, person: pat}", "[ann, pat]", nil),
    ])
    func `a merge is authorized by the person who signed in`(keys: String, people: String, words: String?) {
        let (loaded, diagnostics) = load(
            keys,
            """
              - name: merge
                watch: session
                if: session.status == "needs_input"
                do:
                  - authorize_merge:
                    confirm: {in: ops, by: \(people)}
            """)
        #expect((loaded == nil) == (words != nil))
        if let words { #expect(diagnostics.contains { $0.description.contains(words) }, "\(diagnostics)") }
    }
}
