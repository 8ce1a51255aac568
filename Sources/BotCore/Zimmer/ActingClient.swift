package import AdapterKit

/// What a person has said in a channel, verbatim.
///
/// Made of what an adapter has heard and of nothing else: words of a rule, a template or a model have no way to become a
/// person's.
package struct PersonsWords: Hashable, Sendable {
    /// Who, as the channel vouches for it.
    let person: String
    let text: String

    /// Nil for what is no text, for text without a word in it, and where it is not known who said it.
    ///
    /// - Parameter skipped: bytes at the beginning that are for the bot, such as a command's name.
    package init?(_ event: ChatEvent, after skipped: Int = 0) {
        guard let person = event.sender, case .text(let all) = event.content, skipped >= 0,
            let text = String(all.utf8.dropFirst(skipped)), text.contains(where: { !$0.isWhitespace })
        else { return nil }
        self.person = person
        self.text = text
    }
}

/// What the bot may do as the person who has signed in: each is that person's own act, which the bot carries.
package enum PersonalAct: Hashable, Sendable {
    /// The word that a session may merge its pull request. Zimmer hands it on once, however often it comes.
    case authorizeMerge(session: Int64)
    /// Recorded as a message of the person.
    case followUp(session: Int64, PersonsWords)

    package var call: ZimmerCall {
        switch self {
        case .authorizeMerge: .authorizeMerge
        case .followUp: .followUp
        }
    }

    private var session: Int64 {
        switch self {
        case .authorizeMerge(let session), .followUp(let session, _): session
        }
    }

    fileprivate var path: [String] { ["sessions", String(session), call.rawValue] }

    fileprivate var body: JSONText {
        switch self {
        case .authorizeMerge: .object([])
        case .followUp(_, let words): .object([("prompt", .string(words.text))])
        }
    }

    fileprivate var isRepeatable: Bool {
        switch self {
        case .authorizeMerge: true
        case .followUp: false
        }
    }
}

/// Acts as a person: the one place that sends a bearer token, and it sends `PersonalAct` alone.
///
/// Everything else the bot sends carries the API key, with which nothing counts as a person's word (`ZimmerClient`).
package struct ActingClient: Sendable {
    private let wire: ZimmerWire
    private let signIn: SignIn
    private let client: SignInClient
    /// Whose acts these are, as the channels name them.
    let person: String
    private let allowed: Set<ZimmerCall>

    init(_ wire: ZimmerWire, as client: SignInClient, of person: String, _ signIn: SignIn, allowed: Set<ZimmerCall>) {
        self.wire = wire
        self.client = client
        self.person = person
        self.signIn = signIn
        self.allowed = allowed
    }

    /// Carries out the act, once. A token that Zimmer refuses before its time is replaced, once; what it refuses then it
    /// does not open to this sign-in, which stays all the same.
    package func perform(_ act: PersonalAct, timeout: Duration = .seconds(30)) async -> WriteOutcome {
        do throws(ZimmerError) {
            try check(act)
            let pair = try await token { () throws(SignInError) in try await signIn.pair() }
            do throws(ZimmerError) {
                return try await send(act, pair, timeout)
            } catch {
                guard error.code == .signIn else { throw explained(error, act, pair.level) }
            }
            let next = try await token { () throws(SignInError) in try await signIn.pair(insteadOf: pair.access) }
            do throws(ZimmerError) {
                return try await send(act, next, timeout)
            } catch {
                throw explained(error, act, next.level)
            }
        } catch {
            return WriteOutcome(error)
        }
    }

    private func check(_ act: PersonalAct) throws(ZimmerError) {
        guard allowed.contains(act.call) else {
            let message = "the call '\(act.call.rawValue)' is not one that the loaded rules need, so it was not made"
            throw ZimmerError(.notAllowed, message: message, reach: .notSent)
        }
        if case .followUp(_, let words) = act, !words.person.utf8.elementsEqual(person.utf8) {
            let message = "the sign-in is \(person)'s, and the words are another's, so they were not sent"
            throw ZimmerError(.notAllowed, message: message, reach: .notSent)
        }
        guard client.opensAPI else {
            let message =
                "a sign-in of a registered client opens /mcp only; acts of a person need zimmer.sign_in.client:"
                + " zimmer-ios"
            throw ZimmerError(.noSignIn, message: message, reach: .notSent)
        }
    }

    private func token(
        _ get: () async throws(SignInError) -> TokenPair
    ) async throws(ZimmerError) -> TokenPair {
        do throws(SignInError) {
            return try await get()
        } catch {
            throw error.zimmerError
        }
    }

    private func send(
        _ act: PersonalAct, _ pair: TokenPair, _ timeout: Duration
    ) async throws(ZimmerError) -> WriteOutcome {
        let token = pair.access.secret
        let request = HTTPRequest(
            .post, wire.address.api(act.path),
            headers: [
                (name: "Authorization", value: "Bearer \(token.exposed)"),
                (name: "Content-Type", value: "application/json"),
            ], body: act.body.bytes, timeout: timeout, isRepeatable: act.isRepeatable, maximumBody: 8 << 20)
        let answer = ZimmerAnswer(
            try await wire.send(request, hiding: [token], noting: CallLog.Record(act.call, "POST", act.path)))
        return .done(try WriteReceipt(answer, to: act.path))
    }

    /// What a refusal means for this sign-in, where Zimmer does not say it.
    private func explained(_ error: ZimmerError, _ act: PersonalAct, _ level: SignInLevel) -> ZimmerError {
        var error = error
        let need = "it needs one that acts on the person's behalf; Zimmer's Settings say what this one may do"
        switch error.code {
        case .signIn:
            // Not the end of the sign-in: another would be refused too.
            error.code = .forbidden
            error.message =
                "Zimmer does not open '\(act.call.rawValue)' to this sign-in (\(level.description)); \(need)"
        case .forbidden, .refused:
            if level == .relay { error.message += "; the sign-in is \(level.description), and \(need)" }
        case .notFound where error.label.isEmpty:
            error.message = "this Zimmer does not know '\(act.call.rawValue)' yet; do it on its page"
            error.label = "Not Found"
        default: break
        }
        return error
    }
}
