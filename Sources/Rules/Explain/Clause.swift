package import CEL

/// A part of a condition that `&&` or `||` joins to others, or the whole of it, with what it came to.
///
/// Texts only: a clause is stored with what was decided by it, and shown long after the values are gone.
package struct Clause: Hashable, Sendable, Codable {
    package enum Outcome: String, Hashable, Sendable, Codable {
        case holds = "true"
        case fails = "false"
        /// Reading through null and its like: the whole does not apply, unless another part decides.
        case absent
        case cannotTell = "cannot_tell"
        /// Another part had decided before.
        case notReached = "not_reached"
    }

    package enum Join: String, Hashable, Sendable, Codable { case and, or }

    /// A value that the clause read, printed.
    package struct Read: Hashable, Sendable, Codable {
        package var path: String
        package var value: String
    }

    /// As it is written in the rules file, on one line.
    package var text: String
    package var outcome: Outcome
    /// Why it cannot be told, or does not apply.
    package var reason: String?
    /// It could not be told, and what it is a part of could all the same.
    package var isAbsorbed = false
    /// What it is a part of came to its value because of this one.
    package var isDecisive = false
    /// Of one that was not reached: what it would have come to.
    package var alone: Outcome?
    package var reads: [Read] = []
    package var join: Join?
    package var parts: [Clause] = []

    package init(_ text: String, _ outcome: Outcome, reason: String? = nil) {
        self.text = text
        self.outcome = outcome
        self.reason = reason
    }
}

extension Clause {
    /// The parts joined by `&&` at the top; the whole where there are none.
    package var top: [Clause] { join == .and ? parts : [self] }

    /// The part at the top that decided.
    package var decisive: Clause? { top.first(where: \.isDecisive) ?? (join == .and ? nil : self) }
}

extension Clause.Outcome {
    init(_ value: Value) {
        switch value {
        case .bool(true): self = .holds
        case .bool(false): self = .fails
        case .error(let error) where error.code == .absent: self = .absent
        default: self = .cannotTell
        }
    }
}

extension Value {
    /// What is shown of a value that is read.
    private static let longest = 160

    /// On one line, cut; lists and maps by how many they hold.
    package var brief: String {
        switch self {
        case .string(let text): "\"\(text.onOneLine.cut(to: Self.longest))\""
        case .list(let elements) where elements.count > 3: "a list of \(elements.count)"
        case .map(let map) where map.entries.count > 3: "a map of \(map.entries.count)"
        case .object(let object): "a \(object.type.name)"
        case .duration(let duration): duration.brief
        case .error(let error): error.message.onOneLine.cut(to: Self.longest)
        default: text.onOneLine.cut(to: Self.longest)
        }
    }
}

extension String {
    /// At most so many bytes, ending between two code points.
    func cut(to count: Int) -> String {
        guard utf8.count > count else { return self }
        var end = utf8.index(startIndex, offsetBy: count)
        while end.samePosition(in: unicodeScalars) == nil { utf8.formIndex(before: &end) }
        return self[..<end] + "…"
    }
}

extension Duration {
    /// As rules write it, in whole seconds: `2d3h`, `45s`.
    package var brief: String {
        let seconds = components.seconds
        guard seconds != 0 else { return components.attoseconds == 0 ? "0s" : celText }
        var rest = seconds.magnitude
        var text = seconds < 0 ? "-" : ""
        for (unit, length) in [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)] as [(String, UInt64)]
        where rest >= length {
            text += "\(rest / length)\(unit)"
            rest %= length
        }
        return text
    }
}
