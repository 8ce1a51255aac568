/// Which object of the watched world something is about: `session 1234`, or `health` itself.
package struct SubjectID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The word of `watch:`, or `slot` for a schedule.
    package var type: String
    /// The object's own id; the type's name again where there is only one such object.
    package var id: String

    package init(type: String, id: String) {
        self.type = type
        self.id = id
    }

    /// `session:7`, `health`; a number alone is a session's. Nil for anything else.
    package init?(spelled text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.first, !first.isEmpty, parts.last?.isEmpty == false else { return nil }
        if parts.count == 2 {
            self.init(type: first, id: parts[1])
        } else if Int64(first) != nil {
            self.init(type: "session", id: first)
        } else {
            self.init(type: first, id: first)
        }
    }

    /// Ids that are numbers are ordered as numbers, so that limits take 9 before 10.
    package static func < (a: SubjectID, b: SubjectID) -> Bool {
        if a.type != b.type { return a.type < b.type }
        if let left = Int64(a.id), let right = Int64(b.id) { return left < right }
        return a.id < b.id
    }

    package var description: String { id == type ? type : "\(type) \(id)" }
}
