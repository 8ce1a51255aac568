import CEL

/// Reads the pull requests in a session's `custom_metadata`. Free-form data: what has an unexpected type counts as absent,
/// except in the record of merge authorizations, where it counts as unreadable.
struct PullRequestDecoder {
    /// A session has a handful; more than this many are cut to the newest, so that a hostile record costs no more.
    private static let maximumCount = 100

    let rows: [PullRequestRow]

    init(_ record: JSONValue?) {
        let urls = (record?["github_pull_request_urls"]).map { $0.elements.compactMap(\.string) } ?? []
        let trusted = urls.filter { $0.utf8.starts(with: "https://".utf8) && !URLHost.name(of: $0).isEmpty }
        guard let record, !trusted.isEmpty else {
            rows = []
            return
        }
        let readAt = record["poller_last_polled_at"]?["github_pr_poller"].flatMap(WireDecoder.timestamp)
        rows = trusted.suffix(Self.maximumCount).map { Self.row($0, in: record, readAt: readAt) }
    }

    private static func row(_ url: String, in record: JSONValue, readAt: Timestamp?) -> PullRequestRow {
        let state = record["github_pull_request_statuses"]?[url]?.string ?? "unknown"
        let ci = record["github_pull_request_ci_statuses"]?[url]?.string ?? "none"
        let labels = record["github_pull_request_goal_facts"]?[url]?["labels"]
        let authorization = authorization(record["merge_authorized_prs"]?[url])

        var slots = [Value](repeating: .null, count: PullRequestField.allCases.count)
        func set(_ field: PullRequestField, _ value: Value) { slots[field.slot] = value }
        set(.url, .string(url))
        let noNumber = Value.error(.unreadable("\(url) does not name a repository and a number"))
        set(.repo, Repository.pullRequest(url).map { .string($0.repo) } ?? noNumber)
        set(.number, Repository.pullRequest(url).map { .int($0.number) } ?? noNumber)
        set(.state, .string(state))
        set(.ci, .string(ci))
        set(.conflict, .bool(record["github_pull_request_merge_conflicts"]?[url]?.bool ?? false))
        set(.readAt, readAt.map(Value.timestamp) ?? .null)
        if let labels, labels.kind == .array {
            set(.labels, .list(labels.elements.compactMap { $0.string.map(Value.string) }))
        }
        return PullRequestRow(url: url, ci: ci, state: state, authorization: authorization, slots: slots)
    }

    /// Both forms: `{at, transcript_line_count}`, and the older bare time.
    private static func authorization(_ entry: JSONValue?) -> PullRequestRow.Authorization {
        guard let entry, !entry.isNull else { return .none }
        switch entry.kind {
        case .object:
            return .recorded(
                at: WireDecoder.value(.nullable(.timestamp), entry["at"], "the time of a merge authorization"))
        case .string:
            if let at = WireDecoder.timestamp(entry) { return .recorded(at: .timestamp(at)) }
            fallthrough
        default:
            return .unreadable(.unreadable("Zimmer's record of the merge authorization has an unknown form"))
        }
    }
}

/// Names inside repository URLs.
enum Repository {
    /// `owner/name` of a clone URL: `https://host/owner/name.git`, `ssh://…` or `git@host:owner/name.git`.
    static func name(of gitRoot: String) -> String? {
        let path: Substring
        if let scheme = gitRoot.firstIndex(of: ":"), gitRoot[scheme...].hasPrefix("://") {
            path = gitRoot[scheme...].dropFirst(3).drop { $0 != "/" }
        } else if let colon = gitRoot.firstIndex(of: ":") {
            path = gitRoot[gitRoot.index(after: colon)...]
        } else {
            return nil
        }
        let parts = path.split(separator: "/")
        guard parts.count == 2 else { return nil }
        let name = parts[1].hasSuffix(".git") ? parts[1].dropLast(4) : parts[1]
        return name.isEmpty ? nil : "\(parts[0])/\(name)"
    }

    /// Repository and number of `https://host/owner/name/pull/7`.
    static func pullRequest(_ url: String) -> (repo: String, number: Int64)? {
        let parts = url.split(separator: "/", maxSplits: 7)
        guard parts.count >= 6, parts[4] == "pull" || parts[4] == "pulls",
            let number = Int64(parts[5].prefix { $0 != "#" && $0 != "?" }), number > 0
        else { return nil }
        return ("\(parts[2])/\(parts[3])", number)
    }
}
