/// One way in which a condition can hold: what each of its terms is then. Terms are known by their text.
struct Situation {
    /// Two parts of a condition that cannot both hold.
    struct Conflict: Hashable {
        var first: String
        var second: String
    }

    private(set) var domains: [String: Domain] = [:]
    /// The parts of the condition that say something about a term, with what they say.
    private var clauses: [String: [(text: String, domain: Domain)]] = [:]

    /// Adds what one part of the condition says.
    ///
    /// - Returns: The part that it contradicts, if there is one.
    mutating func add(_ term: String, _ domain: Domain, from clause: String) -> Conflict? {
        let known = domains[term] ?? Domain()
        domains[term] = known.intersection(domain)
        let before = clauses[term] ?? []
        clauses[term, default: []].append((clause, domain))
        guard domains[term]?.isEmpty == true else { return nil }
        let opponent = before.first { $0.domain.intersection(domain).isEmpty } ?? before.last
        return Conflict(first: opponent?.text ?? clause, second: clause)
    }

    /// Adds another situation; returns what contradicts it.
    mutating func add(_ other: Situation) -> Conflict? {
        for (term, parts) in other.clauses.sorted(by: { $0.key < $1.key }) {
            for part in parts {
                if let conflict = add(term, part.domain, from: part.text) { return conflict }
            }
        }
        return nil
    }

    subscript(term: String) -> Domain? { domains[term] }
}
