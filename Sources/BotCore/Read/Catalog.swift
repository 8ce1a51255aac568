import Rules

/// The names that a Zimmer has for what steps name: agent roots, models, goals. Changes with a deploy.
///
/// It tells people of a name that is not there, and decides nothing: Zimmer does, when the step asks.
struct Catalog: Hashable, Sendable {
    /// In Zimmer's order, without repeats; nil where the answer does not say.
    private var names: [Kind: [String]] = [:]

    enum Kind: String, CaseIterable, Sendable {
        case agentRoot = "agent root"
        case model, goal
    }

    /// A name that a rule writes.
    struct Wanted: Hashable, Sendable {
        var kind: Kind
        var name: String
        var rule: String
    }

    private static let shown = 12

    /// - Parameter json: the answer to `GET /configs`.
    init(_ json: JSONValue) {
        func list(_ json: JSONValue?, _ member: String) -> [String]? {
            guard let json, json.kind == .array else { return nil }
            return json.elements.compactMap { $0[member]?.string }
        }
        names[.agentRoot] = list(json["agent_roots"], "name")
        names[.goal] = list(json["goals"], "id")
        if let runtimes = json["runtime_models"], runtimes.kind == .object {
            names[.model] = runtimes.members.flatMap { list($0.value["models"], "id") ?? [] }
        }
        for (kind, all) in names {
            var seen: Set<ByteKey> = []
            names[kind] = all.filter { seen.insert(ByteKey($0)).inserted }
        }
    }

    /// What to say of names that are not there.
    func causes(_ wanted: [Wanted]) -> [NoticeBook.Cause] {
        var causes: [String: NoticeBook.Cause] = [:]
        for want in wanted {
            guard let known = names[want.kind], !known.contains(where: { ByteKey($0) == ByteKey(want.name) }) else {
                continue
            }
            let id = "catalog:\(want.kind.rawValue):\(want.name)"
            let more = known.count > Self.shown ? ", …" : ""
            let has = known.isEmpty ? "none" : known.prefix(Self.shown).joined(separator: ", ") + more
            var cause =
                causes[id]
                ?? NoticeBook.Cause(
                    id: id, text: "There is no \(want.kind.rawValue) '\(want.name)' in this Zimmer; it has \(has)",
                    isSaidOnce: true)
            let rule = "rule \(want.rule)"
            if !cause.subjects.contains(rule) { cause.subjects.append(rule) }
            causes[id] = cause
        }
        return causes.values.sorted { $0.id < $1.id }
    }
}

extension RuleSet {
    /// The names of the catalog that steps write out. What is computed is not known before.
    var catalogNames: [Catalog.Wanted] {
        rules.filter { $0.rule.mode != .off }.flatMap { prepared in
            (prepared.rule.steps + prepared.rule.resolved).flatMap { step -> [Catalog.Wanted] in
                guard case .write(let write) = step.action else { return [] }
                return write.kind.catalogNames.map { Catalog.Wanted(kind: $0.0, name: $0.1, rule: prepared.name) }
            }
        }
    }
}

extension Write.Kind {
    fileprivate var catalogNames: [(Catalog.Kind, String)] {
        switch self {
        case .followUp(_, let goal): (goal?.goalName).map { [(.goal, $0)] } ?? []
        case .model(let model): model.written.map { [(.model, $0)] } ?? []
        case .start(let members), .set(let members):
            members.compactMap { member in
                guard case .text(let text) = member.value else { return nil }
                return switch member.name {
                case "agent_root": text.written.map { (.agentRoot, $0) }
                case "model": text.written.map { (.model, $0) }
                case "goal": text.goalName.map { (.goal, $0) }
                default: nil
                }
            }
        default: []
        }
    }
}

extension Template {
    /// The text where nothing in it is computed.
    fileprivate var written: String? {
        guard programs.isEmpty else { return nil }
        return parts.map { if case .markup(let text) = $0 { text } else { "" } }.joined()
    }

    /// A goal of one word is one of the catalog; others are free text.
    fileprivate var goalName: String? {
        written.flatMap { text in text.contains(where: \.isWhitespace) || text.isEmpty ? nil : text }
    }
}
