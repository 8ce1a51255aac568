/// A person's word that a pull request may be merged.
extension ZimmerState {
    /// Only reached with a sign-in that acts for a person; API keys are refused before.
    mutating func authorizeMerge(_ call: Call) throws(Refusal) -> HTTPResponse {
        let session = try target(call)
        guard let pull = session.lastPullRequest else { throw .cannotMerge("This session has no PR.") }
        switch (pull.state, pull.ci) {
        case (.merged, _): throw .cannotMerge("Already merged.")
        case (nil, _): throw .cannotMerge("Zimmer has not read this PR's state yet.")
        case (.closed, _): throw .cannotMerge("The PR is closed.")
        case (.open, nil): throw .cannotMerge("CI has not reported on this PR.")
        case (.open, .pass): break
        case (.open, let ci?): throw .cannotMerge("CI is \(ci.rawValue).")
        }
        guard session.status != .failed, session.status != .archived else {
            throw .cannotMerge("The session takes no messages.")
        }
        if pull.authorization != nil {
            return answer(
                session.id, message: "Merge already authorized for \(pull.url) - the session has the message.")
        }
        authorizeMerge(in: session.id, by: person, entryPoint: "oauth.authorize_merge")
        return answer(
            session.id, message: "Merge authorized. Session \(session.id) has been told to merge \(pull.url).")
    }

    /// Writes the three records of an authorization and hands the session its message.
    package mutating func authorizeMerge(
        in id: Int, by author: String, entryPoint: String = "web_ui.authorize_merge"
    ) {
        guard let session = sessions[id], let last = session.pullRequests.indices.last else { return }
        let url = session.pullRequests[last].url
        let words =
            "[HUMAN-AUTHORIZED MERGE] A person authorized merging \(url). Check that it is still open, then merge it "
            + "and archive yourself."
        edit(id) { session, now in
            session.pullRequests[last].authorization = PullRequest.Authorization(
                at: now, transcriptLineCount: session.transcriptLineCount)
            session.humanMessages.append(
                HumanMessage(author: author, entryPoint: entryPoint, content: words, occurredAt: now))
            session.lastUserActivityAt = now
        }
        log("\(author) authorized merging \(url)", in: id)
        if session.turn == nil, session.status == .needsInput || session.status == .waiting {
            deliver(words, to: id)
        } else {
            enqueue(words, for: id)
        }
    }
}

extension Refusal {
    fileprivate static func cannotMerge(_ reason: String) -> Refusal {
        .unprocessable("Cannot merge", "Cannot merge: \(reason)")
    }
}
