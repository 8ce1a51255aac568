/// A pull request that a session was seen opening, as Zimmer's pollers know it.
package struct PullRequest: Sendable, Hashable {
    package enum State: String, Sendable, Hashable {
        case open, merged, closed
    }

    package enum CI: String, Sendable, Hashable {
        case pass, fail, pending, skipping, cancel
    }

    package struct Authorization: Sendable, Hashable {
        package var at: ServerTime
        package var transcriptLineCount: Int

        package init(at: ServerTime, transcriptLineCount: Int) {
            self.at = at
            self.transcriptLineCount = transcriptLineCount
        }
    }

    package var url: String
    /// Nil until the poller has read it.
    package var state: State?
    /// Nil where no check is configured or read.
    package var ci: CI?
    package var hasConflict = false
    package var conflictIsSuspected = false
    package var labels: [String]?
    package var authorization: Authorization?

    package init(url: String, state: State? = .open, ci: CI? = nil) {
        self.url = url
        self.state = state
        self.ci = ci
    }

    package init(repository: String, number: Int, state: State? = .open, ci: CI? = nil) {
        self.init(url: "https://github.com/\(repository)/pull/\(number)", state: state, ci: ci)
    }

    /// Open, checked and free of conflicts: an agent that is told to can merge it.
    package var canBeMerged: Bool { state == .open && ci == .pass && !hasConflict }
}

extension [PullRequest] {
    /// The members of `custom_metadata` that the pollers write.
    func customMetadata(readAt: ServerTime?) -> [JSON.Member] {
        guard !isEmpty else { return [] }
        var members = [
            JSON.Member("github_pull_request_urls", JSON(map(\.url))),
            JSON.Member("github_pull_request_statuses", byURL { $0.state.map { .string($0.rawValue) } }),
            JSON.Member(
                "github_pull_request_ci_statuses",
                byURL { $0.state == .open ? $0.ci.map { .string($0.rawValue) } : nil }),
        ]
        if let readAt {
            members.append(JSON.Member("poller_last_polled_at", ["github_pr_poller": JSON(readAt)]))
        }
        let rare: [(String, (PullRequest) -> JSON?)] = [
            ("github_pull_request_merge_conflicts", { $0.hasConflict ? true : nil }),
            ("github_pull_request_merge_conflicts_suspected", { $0.conflictIsSuspected ? true : nil }),
            ("github_pull_request_merged_notified", { $0.state == .merged ? true : nil }),
            ("github_pull_request_goal_facts", { $0.labels.map(goalFacts) }),
            ("merge_authorized_prs", { $0.authorization.map(\.json) }),
        ]
        for (name, value) in rare {
            let map = byURL(value)
            if map != [:] { members.append(JSON.Member(name, map)) }
        }
        return members
    }

    private func byURL(_ value: (PullRequest) -> JSON?) -> JSON {
        .object(compactMap { pull in value(pull).map { JSON.Member(pull.url, $0) } })
    }
}

private func goalFacts(labels: [String]) -> JSON {
    [
        "verification_section": true, "verification_checked_boxes": 3, "unchecked_boxes": 0, "labels": JSON(labels),
    ]
}

extension PullRequest.Authorization {
    fileprivate var json: JSON {
        ["at": JSON(at), "transcript_line_count": .int(transcriptLineCount)]
    }
}
