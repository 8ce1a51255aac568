import AdapterKit
import CEL
import Foundation
import Rules

extension Doctor {
    static let timeout: Duration = .seconds(30)
    /// Clocks that differ by less do no harm.
    private static let skew: Duration = .seconds(5)

    func zimmerFindings() async -> [Finding] {
        let people = signInFindings()
        guard let zimmer = file.zimmer, let address = ZimmerAddress(zimmer.url) else {
            return [
                Finding(
                    "zimmer", .problem, "the rules file names no Zimmer",
                    advice: "Add 'zimmer' with 'url' and 'api_key'")
            ] + people
        }
        // One that cannot be had, or is none, is among the secrets.
        let token = zimmer.edgeToken.flatMap { try? EdgeToken($0, from: secrets) }
        let kept = (token.map { [self.edge($0)] } ?? []) + people
        let key: APIKey
        do throws(SecretResolver.Failure) {
            key = try secrets.resolve(zimmer.apiKey, as: .apiKey)
        } catch {
            return [Finding("credentials", .problem, "there is no API key: \(error.reason)")] + kept
        }
        let authorities: String?
        do throws(Assembly.Failure) {
            authorities = try zimmer.authorities(secrets)
        } catch {
            return [Finding("zimmer", .problem, error.description)] + kept
        }
        let client = ZimmerClient(
            address, key: key, edge: token.map { EdgePass($0) },
            transport: environment.makeTransport(authorities),
            version: environment.version, allowed: ZimmerCall.reads.union(ZimmerCall.diagnoses))
        let (alive, isReached) = await liveness(of: client, at: zimmer.url)
        guard isReached else { return [alive] + kept }
        do throws(ZimmerError) {
            let answer = try await client.board(PageSlice(1), etag: nil, timeout: Self.timeout)
            let root = try answer.document().root
            let clocks = clock(answer.serverDate).map { [$0] } ?? []
            return [alive, board(root), opens()] + kept + clocks + (await features(client, root))
        } catch {
            return [alive, await refusal(error, of: client, key, zimmer)] + kept
        }
    }

    private func board(_ root: JSONValue) -> Finding {
        let count = root["pagination"]?["total_count"]?.int.map { "\($0) sessions" } ?? "sessions"
        return Finding("zimmer", .ok, "the API answers: \(count) on the board")
    }

    /// What the key would open, and what of that is used.
    private func opens() -> Finding {
        let writes = RuleSet(file.rules).calls.subtracting(ZimmerCall.reads).map(\.rawValue).sorted()
        let used = writes.isEmpty ? "reads only" : "reads, and \(writes.joined(separator: ", "))"
        return Finding(
            "credentials", .ok,
            "the API key is a full one: it opens everything, deleting sessions for good included. The bot lets through: \(used)"
        )
    }

    private func edge(_ token: EdgeToken) -> Finding {
        let now = environment.clock.now()
        if let oddity = CredentialReport.edgeOddity(token.expiry, now: now) {
            return Finding("credentials", .warning, oddity)
        }
        guard case .at(let expiry) = token.expiry else {
            return Finding("credentials", .note, "the edge token does not say when its life ends")
        }
        let left = expiry - now
        let advice = "Get a new one in a browser, and put it where zimmer.edge_token says"
        if left <= .zero {
            return Finding(
                "credentials", .problem, "the edge token's life ended at \(expiry.wholeSeconds)", advice: advice)
        }
        let text = "the edge token opens the gate in front of Zimmer for another \(left.humanized)"
        return left < .seconds(86_400)
            ? Finding("credentials", .warning, text, advice: advice) : Finding("credentials", .ok, text)
    }

    private func clock(_ date: Timestamp?) -> Finding? {
        guard let date else { return Finding("clock", .note, "Zimmer does not say what time it is") }
        let skew = date - environment.clock.now()
        let size = skew < .zero ? .zero - skew : skew
        guard size > Self.skew else { return Finding("clock", .ok, "this machine's clock and Zimmer's agree") }
        return Finding(
            "clock", size > .seconds(60) ? .warning : .note,
            "Zimmer's clock is \(size.humanized) \(skew > .zero ? "ahead of" : "behind") this machine's",
            advice:
                "Let both follow a time server: what people wait for goes by this machine's clock, all else by Zimmer's"
        )
    }

    // MARK: - A key that is not accepted

    /// Every refusal has the same words, so what a key is shows in what it opens.
    private func refusal(
        _ error: ZimmerError, of client: ZimmerClient, _ key: APIKey, _ zimmer: ZimmerSettings
    ) async -> Finding {
        let advice = ZimmerAdvice(zimmer)
        guard error.trouble == .signIn else {
            let text = error.trouble.map { advice.sentence(for: $0, error.description) } ?? error.description
            return Finding("zimmer", .problem, "the API does not answer: \(text)")
        }
        let kind: String
        if key.exposed.hasPrefix("zmr_oat_") || key.exposed.hasPrefix("zmr_ort_") {
            kind = "it is a token of a sign-in, not an API key"
        } else if await isOfPlugin(client) {
            kind = "it is the key of a Zimmer plugin, which opens the plugin's triggers and nothing else"
        } else {
            kind = "it is revoked, mistyped, or a Quick Router key, which starts sessions and opens nothing else"
        }
        return Finding(
            "credentials", .problem, "Zimmer does not accept the API key: \(kind)", advice: advice.advice(for: .signIn))
    }

    private func isOfPlugin(_ client: ZimmerClient) async -> Bool {
        do throws(ZimmerError) {
            _ = try await client.pluginTriggers(timeout: Self.timeout)
            return true
        } catch {
            return error.code == .forbidden && !error.label.isEmpty
        }
    }

    // MARK: - What this Zimmer has

    /// Asks once for everything that a reader reads.
    private func features(_ client: ZimmerClient, _ board: JSONValue) async -> [Finding] {
        let needed = RuleSet(file.rules).readers
        let now = environment.clock.now()
        let session = board["sessions"]?.elements.lazy.compactMap { $0["id"]?.int }.first
        typealias Look = (name: String, reader: Assembly.ReaderName, call: () async throws(ZimmerError) -> ZimmerAnswer)
        var looks: [Look] = [
            ("health", .health, { () async throws(ZimmerError) in try await client.health(timeout: Self.timeout) }),
            (
                "costs", .costs,
                { () async throws(ZimmerError) in
                    let day = CostsInterval(from: now - .seconds(86_400), to: now)
                    return try await client.costs(day, timeout: Self.timeout)
                }
            ),
            (
                "notifications", .inbox,
                { () async throws(ZimmerError) in
                    try await client.notifications(timeout: Self.timeout)
                }
            ),
            (
                "triggers", .triggers,
                { () async throws(ZimmerError) in
                    try await client.triggers(PageSlice(1), timeout: Self.timeout)
                }
            ),
            (
                "the backlog", .backlog,
                { () async throws(ZimmerError) in
                    try await client.backlog(PageSlice(1), timeout: Self.timeout)
                }
            ),
            (
                "command line tools", .clis,
                { () async throws(ZimmerError) in
                    try await client.tools(timeout: Self.timeout)
                }
            ),
        ]
        if let session {
            looks.append(
                (
                    "questions", .elicitations,
                    { () async throws(ZimmerError) in
                        try await client.elicitations(of: session, timeout: Self.timeout)
                    }
                ))
        }
        var answered: [String] = []
        var findings: [Finding] = []
        for look in looks {
            do throws(ZimmerError) {
                _ = try await look.call().document()
                answered.append(look.name)
            } catch {
                findings.append(lack(look.name, look.reader, isNeeded: needed.contains(look.reader), error))
            }
        }
        let all =
            answered.isEmpty ? [] : [Finding("features", .ok, "this Zimmer lists \(answered.joined(separator: ", "))")]
        return all + findings
    }

    private func lack(_ name: String, _ reader: Assembly.ReaderName, isNeeded: Bool, _ error: ZimmerError) -> Finding {
        if reader == .elicitations, [.signIn, .forbidden, .refused, .notFound].contains(error.code) {
            return Finding(
                "features", .note,
                "this Zimmer does not list questions to an API key; they are made up from the session and the inbox")
        }
        let text = "this Zimmer does not list \(name) to the bot: \(error)"
        guard isNeeded else { return Finding("features", .note, "\(text). No rule needs it") }
        return Finding(
            "features", .problem, text, advice: "Rules that need it cannot tell: switch them off, or update Zimmer")
    }
}
