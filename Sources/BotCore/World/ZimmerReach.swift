package import CEL

/// Whether Zimmer as a whole can be read, as it follows from what became of each reader's last call.
///
/// One reader that fails while others are answered has a trouble of its own, and says nothing of Zimmer.
package struct ZimmerReach: Sendable {
    package struct Failure: Sendable {
        package var error: ZimmerError
        /// Of the first in a row.
        package var since: Timestamp
        /// In a row.
        var count: Int
        /// In the order of all calls: the first in a row, and the last.
        var first: Int
        var last: Int
        /// Answers in a row since then that bring nothing, and do not say that Zimmer is back.
        var empty = 0
    }

    private struct Source {
        /// In the order of all calls; nil where it was never answered.
        var answered: Int?
        var failure: Failure?
    }

    private var sources: [String: Source] = [:]
    private var calls = 0

    /// An error of Zimmer's own may be about one kind of call, so it takes a few in a row.
    private static let enough = 3

    package init() {}

    /// Takes what became of a call: an error, or an answer.
    package mutating func note(_ source: String, _ error: ZimmerError?, at now: Timestamp) {
        calls += 1
        guard let error else {
            sources[source] = Source(answered: calls)
            return
        }
        if error.bringsNothing, let failure = sources[source]?.failure, failure.error.trouble != nil,
            failure.empty < Self.enough - 1
        {
            sources[source]?.failure?.empty += 1
            return
        }
        // What Zimmer refuses, it has answered.
        if error.trouble == nil { sources[source, default: Source()].answered = calls }
        let before = sources[source]?.failure.flatMap { ($0.error.trouble == nil) == (error.trouble == nil) ? $0 : nil }
        sources[source, default: Source()].failure = Failure(
            error: error, since: before?.since ?? now, count: (before?.count ?? 0) + 1, first: before?.first ?? calls,
            last: calls)
    }

    /// Forgets those who do not call any more.
    package mutating func keep(_ names: Set<String>) {
        sources = sources.filter { names.contains($0.key) }
    }

    /// Why the last call of a source failed that did; the newest of several.
    package var error: ZimmerError? { newest { _ in true }?.error }

    /// What keeps Zimmer from being read; nil while it can be.
    package var trouble: Failure? {
        let answered = sources.values.filter { $0.failure?.error.trouble == nil }.compactMap(\.answered).max()
        return newest { source in
            guard let failure = source.failure, let trouble = failure.error.trouble else { return false }
            guard let answered else { return true }
            // It began after everybody's last answer, and for one who was answered before.
            guard failure.first > answered, source.answered != nil else { return false }
            return trouble != .failing || failure.count >= Self.enough
        }
    }

    private func newest(where holds: (Source) -> Bool) -> Failure? {
        sources.values.filter(holds).compactMap(\.failure).max { $0.last < $1.last }
    }
}

extension ZimmerError {
    /// It is an answer, and may be of something in front of Zimmer that is not: a page, or the wish to be left alone.
    fileprivate var bringsNothing: Bool { code == .rateLimited || code == .badBody }
}
