/// Steps that pass on a person's word: whose it is, the file says once for all.
extension RuleFileLoader {
    func checkActing(of loaded: Loaded, _ signIn: ZimmerSettings.SignIn?) {
        let (rule, report) = loaded
        let steps = (rule.steps + rule.resolved).filter { step in
            if case .write(let write) = step.action, case .authorizeMerge = write.kind { true } else { false }
        }
        // What needs a confirmation and has none was said where it stands.
        guard let step = steps.first, steps.allSatisfy({ $0.confirmation != nil }) else { return }
        func refuse(_ reason: String) {
            let place = report.source.offset(of: step.position)
            report.error("'authorize_merge' \(reason)", at: place..<(place + 1))
        }
        guard let signIn else {
            return refuse("needs 'zimmer.sign_in: {client, person}': whose word it passes on")
        }
        guard signIn.client == Language.firstPartyClient else {
            return refuse("needs 'zimmer.sign_in.client: \(Language.firstPartyClient)': other clients open /mcp only")
        }
        let isHeard = steps.allSatisfy { step in
            step.confirmation?.people.contains { $0.utf8.elementsEqual(signIn.person.utf8) } == true
        }
        guard isHeard else {
            return refuse("needs \(signIn.person) in 'confirm.by': nobody else's answer counts (zimmer.sign_in.person)")
        }
    }
}
