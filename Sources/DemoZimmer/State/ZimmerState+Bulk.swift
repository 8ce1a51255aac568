/// Boards of any size, for measurements.
extension ZimmerState {
    /// Adds that many sessions of about 3 kB each, unlike each other and always the same. The pollers stand still, so
    /// that only `mutate` changes them.
    ///
    /// - Returns: their ids.
    @discardableResult
    package mutating func addBulk(_ count: Int) -> [Int] {
        pollsPullRequests = false
        let now = now
        let ids = (0..<count).map { number in
            let status: Session.Status =
                switch number % 20 {
                case 0: .failed
                case 1, 2: .running
                case 3, 4: .waiting
                default: .needsInput
                }
            let created = now - .minutes(number)
            return addSession(title: "Task \(number): \(Self.tasks[number % Self.tasks.count])", status: status) {
                session in
                session.createdAt = created
                session.prompt = Self.prompt(number)
                session.lastUserActivityAt = created
                session.agentRoot = Self.agentRoots[number % Self.agentRoots.count]
                session.failureReason = status == .failed ? "process_failed" : nil
                session.pullRequestsReadAt = now
                session.pullRequests = [
                    PullRequest(
                        repository: "example/widgets", number: number + 1,
                        ci: [.pass, .pending, .fail][number % 3])
                ]
            }
        }
        encode(ids)
        return ids
    }

    /// Writes the rows out beforehand: whoever measures a client does not want to wait for the server.
    private mutating func encode(_ ids: [Int]) {
        for id in ids { _ = sessions.encodedRow(id, at: now) }
    }

    /// Changes that share of all sessions, spread over the whole board; the next round changes the next ones.
    ///
    /// - Returns: the ids that changed.
    @discardableResult
    package mutating func mutate(fraction: Double, round: Int = 0) -> [Int] {
        let ids = sessions.ids
        let count = min(ids.count, max(0, Int((Double(ids.count) * fraction).rounded(.up))))
        guard count > 0 else { return [] }
        let changed = (0..<count).map { ids[($0 * ids.count / count + round) % ids.count] }
        for id in changed {
            edit(id) { session in
                session.title = "\(session.title?.split(separator: " (").first ?? "Task") (\(round + 1))"
                session.status = session.status == .needsInput ? .running : .needsInput
            }
        }
        encode(changed)
        return changed
    }

    private static let tasks = [
        "Fix the flaky login test", "Paginate the audit log", "Speed up search", "Tidy the changelog",
        "Replace the date picker", "Drop the legacy importer",
    ]

    /// About 2 kB of prompt, which makes about 3 kB of row.
    private static func prompt(_ number: Int) -> String {
        (0..<28).map { line in "\(number).\(line) \(tasks[(number + line) % tasks.count]), then run all the tests." }
            .joined(separator: "\n")
    }
}
