import CEL
import Rules

extension Doctor {
    /// How the sign-in of a person stands, by its file alone. A bot that runs may be using its tokens, and every use of one
    /// spends it: nothing is asked of Zimmer.
    func signInFindings() -> [Finding] {
        let kept: Result<SignInRecord?, SignInStoreError> = Result { () throws(SignInStoreError) in
            try SignInStore(directory).load()
        }
        guard let zimmer = file.zimmer, let settings = zimmer.signIn, let client = SignInClient(settings.client),
            let address = ZimmerAddress(zimmer.url)
        else { return unused(kept) }
        let needing = file.rules.filter(\.actsAsPerson).map(\.name)
        let need = needing.isEmpty ? "" : "; it is needed for 'authorize_merge' in \(needing.joined(separator: ", "))"
        do throws(SignInError) {
            guard let record = try Self.record(kept) else { throw .none }
            let pair = try record.pair(of: client, at: address.text, now: environment.clock.now())
            return [standing(record, pair, of: settings.person, isNeeded: !needing.isEmpty)]
        } catch {
            return [
                Finding(Self.area, error.grade(isNeeded: !needing.isEmpty), error.problem + need, advice: error.advice)
            ]
        }
    }

    private static let area = "sign-in"
    /// So long Zimmer keeps a sign-in that nobody uses, unless its operator says otherwise.
    private static let longest: Duration = .seconds(180 * 86_400)

    private static func record(
        _ kept: Result<SignInRecord?, SignInStoreError>
    ) throws(SignInError) -> SignInRecord? {
        do throws(SignInStoreError) {
            return try kept.get()
        } catch {
            throw .store(error)
        }
    }

    /// What is there although the rules file names nobody.
    private func unused(_ kept: Result<SignInRecord?, SignInStoreError>) -> [Finding] {
        switch kept {
        case .success(nil), .failure(.cannot): []
        case .success:
            [
                Finding(
                    Self.area, .note, "a person's sign-in is kept, and the rules file has no zimmer.sign_in to use it",
                    advice: "End it with 'zimmer-bot logout'")
            ]
        case .failure(let error):
            [Finding(Self.area, .warning, error.problem, advice: SignInError.store(error).advice)]
        }
    }

    private func standing(_ record: SignInRecord, _ pair: TokenPair, of person: String, isNeeded: Bool) -> Finding {
        let now = environment.clock.now()
        let who =
            "signed in as \(person) since \(record.signedInAt.wholeSeconds), and Zimmer said last that it"
            + " \(pair.level == .acting ? "acts on the person's behalf" : "is relay only")"
        if case .active(_, let doubt?) = record.state {
            return Finding(
                Self.area, .warning, "\(who). A refresh that began at \(doubt.wholeSeconds) has no answer yet",
                advice: "Look at 'zimmer-bot status' in a minute")
        }
        if now - pair.expiresAt > Self.longest {
            return Finding(
                Self.area, .warning,
                "\(who). It was not used since \(pair.expiresAt.wholeSeconds), longer than Zimmer keeps one",
                advice: SignInError.none.advice)
        }
        if pair.level == .relay {
            return Finding(
                Self.area, isNeeded ? .problem : .note, "\(who): Zimmer refuses a merge with that",
                advice: "Change its level in Zimmer's Settings; no new sign-in is needed")
        }
        guard record.client.opensAPI else {
            return Finding(Self.area, .note, "\(who). It opens /mcp only, and this version does nothing there")
        }
        let isOver = pair.expiresAt <= now
        let life =
            isOver
            ? ". Its token ended at \(pair.expiresAt.wholeSeconds); the bot gets the next one when it runs"
            : ", with a token until \(pair.expiresAt.wholeSeconds)"
        return Finding(Self.area, .ok, who + life)
    }
}

extension SignInError {
    fileprivate func grade(isNeeded: Bool) -> Finding.Grade {
        switch self {
        case .store: .problem
        case .none: isNeeded ? .problem : .note
        default: isNeeded ? .problem : .warning
        }
    }

    fileprivate var advice: String? { remedy.map { $0.prefix(1).uppercased() + $0.dropFirst() } }
}

extension Rule {
    /// Some step of it passes on a person's word.
    fileprivate var actsAsPerson: Bool {
        mode != .off
            && (steps + resolved).contains { step in
                if case .write(let write) = step.action, case .authorizeMerge = write.kind { true } else { false }
            }
    }
}
