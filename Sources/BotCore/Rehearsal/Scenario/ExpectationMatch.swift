import AdapterKit
package import CEL
package import Rules

/// Says which expectations were met by what happened.
///
/// Each is met by a thing of its own, whatever their order: a general one does not take away what a narrower one needs.
struct ExpectationMatch {
    private let wanted: [Expectation]
    private let happenings: [Happening]
    /// By happening: which of `wanted` it meets; and the other way round.
    private var met: [Int: Int] = [:]
    private var places: [Int: Int] = [:]

    /// - Complexity: O(expectations² × happenings) in the worst case, O(expectations × happenings) in any that is written.
    init(_ expectations: [Expectation], _ happenings: [Happening]) {
        wanted = expectations.flatMap { [Expectation](repeating: $0, count: $0.count) }
        self.happenings = happenings
        for index in wanted.indices { place(index) }
    }

    var missing: [Expectation] { wanted.indices.filter { places[$0] == nil }.map { wanted[$0] } }

    /// What has to be listed, and is not.
    var unexpected: [Happening] {
        happenings.indices.filter { met[$0] == nil && happenings[$0].hasToBeListed }.map { happenings[$0] }
    }

    /// Finds a happening for an expectation, where others may have to move to another that meets them too.
    private mutating func place(_ index: Int) {
        var reachedFrom: [Int: Int] = [:]
        var queue = [index]
        var next = 0
        while next < queue.count {
            let asking = queue[next]
            next += 1
            for place in happenings.indices
            where reachedFrom[place] == nil && wanted[asking].isMet(by: happenings[place]) {
                reachedFrom[place] = asking
                guard let holder = met[place] else { return move(to: place, reachedFrom, for: index) }
                queue.append(holder)
            }
        }
    }

    private mutating func move(to free: Int, _ reachedFrom: [Int: Int], for index: Int) {
        var place: Int? = free
        while let current = place, let mover = reachedFrom[current] {
            place = mover == index ? nil : places[mover]
            met[current] = mover
            places[mover] = current
        }
    }
}

extension Happening {
    var hasToBeListed: Bool {
        switch what {
        case .post, .write: true
        case .told(let telling, _): telling.isObligatory
        case .held, .wish, .note: false
        }
    }

    /// What can be asked for of it, by name.
    package var details: [(name: String, value: Value)] {
        switch what {
        case .post(let message):
            [
                ("kind", .string(message.kind.rawValue)), ("urgency", .string(message.urgency.rawValue)),
                ("title", .string(message.title ?? "")), ("text", .string(message.body.plainText)),
            ]
        case .write(let request): request.details(at: at)
        default: []
        }
    }
}

extension WriteRequest {
    /// The values of the step, by the names that they have in an expectation.
    fileprivate func details(at now: Timestamp) -> [(name: String, value: Value)] {
        switch kind {
        case .followUp(let prompt, let goal):
            [("prompt", .string(prompt))] + (goal.map { [("goal", .string($0))] } ?? [])
        case .snooze(let until): [("until", .timestamp(until)), ("for", .duration(until - now))]
        case .appendNote(let text), .replaceNote(let text): [("text", .string(text))]
        case .log(let text, let level): [("text", .string(text)), ("level", .string(level))]
        case .favorite(let value): [("value", .bool(value))]
        case .model(let name): [("value", .string(name))]
        case .push(let message): [("message", .string(message))]
        case .trigger(let enabled): [("enabled", .bool(enabled))]
        case .start(let members), .set(let members), .heartbeat(let members), .invoke(let members):
            members.map(\.detail)
        case .answer(let action, let content): [("value", .string(action))] + content.map(\.detail)
        case .enterRecovery(let reason, let minutes):
            [("reason", .string(reason))] + (minutes.map { [("ttl", .duration(.seconds($0 * 60)))] } ?? [])
        case .restart, .pause, .sleep, .startNow, .refresh, .archive, .unarchive, .hide, .show, .markRead, .dismiss,
            .markAllRead, .authorizeMerge, .retryFailed, .cleanUpProcesses, .exitRecovery, .backfillCosts:
            []
        }
    }
}

extension WireMember {
    fileprivate var detail: (name: String, value: CEL.Value) {
        switch self.value {
        case .integer(let seconds) where name == "interval_seconds": ("interval", .duration(.seconds(seconds)))
        case .text(let text): (name, .string(text))
        case .integer(let number): (name, .int(number))
        case .number(let number): (name, .double(number))
        case .flag(let flag): (name, .bool(flag))
        case .words(let words): (name, .list(words.map { .string($0) }))
        }
    }
}

extension Expectation {
    package func isMet(by happening: Happening) -> Bool {
        if let rule, rule != happening.rule { return false }
        if let subject, subject != happening.subject { return false }
        guard isOfKind(happening.what) else { return false }
        let found = happening.details
        return details.allSatisfy { detail in
            found.contains { $0.name == detail.name && detail.isMet(by: $0.value) }
        }
    }

    private func isOfKind(_ other: Happening.What) -> Bool {
        switch (what, other) {
        case (.post(let channel), .post(let message)): channel == message.channel
        case (.write(let step, let id), .write(let request)): step == request.name && id == request.target.id
        case (.held("limit"), .held(let word, _)): Self.limits.contains(word)
        case (.held(let wanted), .held(let word, _)): wanted == word
        case (.told(let wanted, let part), .told(let telling, let text)):
            wanted == telling && text.containsText(part)
        default: false
        }
    }

    private static let limits: Set<String> = ["per_poll", "per_hour", "per_subject_per_day", "zimmer.limit"]
}

extension Expectation.Detail {
    fileprivate func isMet(by value: Value) -> Bool {
        guard case .string(let wanted) = self.value, case .string(let text) = value else {
            return self.value.equals(value)
        }
        return isPart ? text.containsText(wanted) : text.trimmedText == wanted.trimmedText
    }
}

extension String {
    fileprivate func containsText(_ part: String) -> Bool {
        // By bytes: text counts exactly as it is written.
        part.isEmpty || Array(utf8).firstRange(of: Array(part.utf8)) != nil
    }

    fileprivate var trimmedText: [UInt8] {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        let start = utf8.drop(while: isBlank)
        return Array(start.prefix(start.count - start.reversed().prefix(while: isBlank).count))
    }
}
