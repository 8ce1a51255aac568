import CEL
package import Rules

/// A rule explained: for one subject, or for everything that it watches.
package enum Explained: Sendable {
    case one(Explanation)
    case all(RuleOverview)

    /// There is no such subject; the text says which there are.
    package struct UnknownSubject: Error, Sendable, CustomStringConvertible {
        package var description: String
    }
}

extension Ledger {
    /// Explains a rule on what was read and decided just now.
    func explain(
        _ prepared: PreparedRule, _ wanted: String?, localNow: Timestamp, before: Memory, boardInterval: Duration,
        _ standing: BotStanding
    ) throws(Explained.UnknownSubject) -> Explained {
        let now = instant()
        let world = observation.world(now: now, localNow: localNow, latest: [])
        guard let watchable = prepared.watchable else {
            guard wanted == nil else {
                throw .init(description: "'\(prepared.name)' is a schedule: it has no subjects")
            }
            return .one(complete(prepared, nil, world, before, boardInterval, standing))
        }
        let known = subjects(of: watchable, prepared, world)
        guard watchable.isCollection else {
            if let wanted, wanted != watchable.name {
                throw .init(description: "'\(prepared.name)' watches '\(watchable.name)', not '\(wanted)'")
            }
            return .one(complete(prepared, known.first, world, before, boardInterval, standing))
        }
        guard let wanted else {
            return .all(rules.overview(prepared, known, world: world, before: before, after: memory))
        }
        let subject = try find(wanted, watchable, prepared, among: known)
        return .one(complete(prepared, subject, world, before, boardInterval, standing))
    }

    private func subjects(of watchable: Vocabulary.Watchable, _ prepared: PreparedRule, _ world: World) -> [Subject] {
        if watchable.name == "costs" {
            return world.latest(SubjectID(type: "costs", id: "costs"), for: prepared).map { [$0] } ?? []
        }
        let watched = world.watched[watchable.name] ?? observation.watched(watchable.name, now: world.now)
        if case .whole(let subjects) = watched { return subjects.all }
        // Nothing is decided on these, which is said too; they are what was read before.
        return world.standing[watchable.name]?.all ?? []
    }

    /// `7`, `#7`, `session:7`, `session 7`, a slug, the name of a channel.
    private func find(
        _ wanted: String, _ watchable: Vocabulary.Watchable, _ prepared: PreparedRule, among known: [Subject]
    ) throws(Explained.UnknownSubject) -> Subject {
        var id = Substring(wanted)
        if let end = wanted.firstIndex(where: { $0 == ":" || $0 == " " }) {
            let type = wanted[..<end]
            if type == watchable.name {
                id = wanted[wanted.index(after: end)...]
            } else if Vocabulary.zimmer.watchable(String(type)) != nil {
                throw .init(description: "'\(prepared.name)' watches '\(watchable.name)', not '\(type)'")
            }
        }
        if id.first == "#" { id.removeFirst() }
        let text = String(id)
        if let subject = known.first(where: { $0.id.id == text || $0.slug == text }) { return subject }
        if Vocabulary.zimmer.watchable(text) != nil {
            throw .init(description: "'\(prepared.name)' watches '\(watchable.name)', not '\(text)'")
        }
        let subject = SubjectID(type: watchable.name, id: text)
        if let last = latest(subject, for: prepared) { return last }
        let hint = NearMiss.hint(
            NearMiss.best(of: known.flatMap { [$0.id.id] + ($0.slug.map { [$0] } ?? []) }, for: text))
        throw .init(
            description: "there is no \(watchable.name) '\(text)' among the \(known.count) that were read\(hint)")
    }

    /// The explanation with what the rules by themselves do not know: channels, and what last looks may not rest on.
    private func complete(
        _ prepared: PreparedRule, _ subject: Subject?, _ world: World, _ before: Memory, _ boardInterval: Duration,
        _ standing: BotStanding
    ) -> Explanation {
        var explanation = rules.explain(prepared, subject, world: world, before: before, after: memory)
        if prepared.rule.writes { explanation.blocks += lastLookBlocks(prepared, subject, boardInterval) }
        let names = prepared.channelNames
        if let until = standing.mutedUntil, until > world.localNow, !names.isEmpty {
            explanation.blocks.append(.init(.mute, "messages wait: a person muted the bot", until: until))
        }
        for name in names {
            if let end = delivery.channels[name]?.quiet?.end(at: world.localNow) {
                explanation.blocks.append(
                    .init(.quiet, "messages to \(name) wait: quiet hours of the channel", until: end))
            }
            if let status = standing.channels.first(where: { $0.channel == name }), status.state != .up {
                let reason = status.error.map { ": \($0)" } ?? ""
                explanation.blocks.append(
                    .init(
                        .channel, "messages to \(name) wait: it is \(status.state)\(reason)", until: status.pausedUntil)
                )
            }
        }
        return explanation
    }

    private func lastLookBlocks(
        _ prepared: PreparedRule, _ subject: Subject?, _ boardInterval: Duration
    ) -> [Explanation.Block] {
        var blocks: [Explanation.Block] = []
        guard let subject, subject.id.type == "session", let id = Int64(subject.id.id), let reading = board?[id] else {
            return blocks
        }
        if prepared.namesPullRequests, let reason = pullRequestsFrozen(of: reading) {
            blocks.append(.init(.pullRequests, "no write may rest on pull requests: \(reason)"))
        }
        if prepared.namesChecks, let since = subject.checksSince, instant() - since < boardInterval {
            blocks.append(.init(.lastLook, "CI reads so for less than one poll", until: since + boardInterval))
        }
        return blocks
    }
}

extension Subject {
    fileprivate var slug: String? {
        if case .string(let slug) = value["slug"] { slug } else { nil }
    }
}

extension PreparedRule {
    /// The channels that its posts name; not those that an expression computes.
    fileprivate var channelNames: [String] {
        var names: [String] = []
        for step in rule.steps + rule.resolved {
            guard case .post(let post) = step.action, case .channels(let channels) = post.target else { continue }
            for name in channels where !names.contains(name) { names.append(name) }
        }
        return names
    }
}
