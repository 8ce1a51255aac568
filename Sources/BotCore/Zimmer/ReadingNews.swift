/// What is worth a line, of readings one after the other: where a trouble begins, where it becomes another one, and where it
/// is over.
struct ReadingNews: Sendable {
    enum Finding: Hashable, Sendable {
        /// Zimmer as a whole cannot be read from now on, or for another reason.
        case outage
        case over(after: Duration, failedReadings: Int)
        /// This reader alone fails from now on, or in another way.
        case failed
        /// Not all of it was read.
        case partial
        case works, whole
    }

    private enum Trouble: Hashable {
        case failed(ZimmerError.Code)
        case partial
    }

    private struct Outage {
        var since: Duration
        var failedReadings = 0
        /// When each trouble was said last.
        var said: [ZimmerTrouble: Duration] = [:]
        var lastSaid: ZimmerTrouble?

        /// Whether a line is due that says it: where two take turns each is said now and then, and the last line holds.
        mutating func isNews(_ trouble: ZimmerTrouble, at elapsed: Duration) -> Bool {
            guard trouble != lastSaid else { return false }
            if let before = said[trouble], elapsed - before < ReadingNews.pause { return false }
            lastSaid = trouble
            said[trouble] = elapsed
            return true
        }
    }

    private var outage: Outage?
    /// Between two lines that say the same trouble.
    private static let pause: Duration = .seconds(300)
    /// How readers fare badly, as far as that was said.
    private var said: [String: Set<Trouble>] = [:]

    var isOutage: Bool { outage != nil }

    /// Takes what became of a reading.
    ///
    /// - Parameters:
    ///   - isWhole: all of it was read.
    ///   - trouble: what keeps Zimmer as a whole from being read, as readings so far show.
    mutating func note(
        _ reader: String, _ error: ZimmerError?, isWhole: Bool, _ trouble: ZimmerTrouble?, at elapsed: Duration
    ) -> [Finding] {
        if let trouble {
            var outage = self.outage ?? Outage(since: elapsed)
            defer { self.outage = outage }
            if error != nil { outage.failedReadings += 1 }
            return outage.isNews(trouble, at: elapsed) ? [.outage] : []
        }
        var findings: [Finding] = []
        if let outage {
            findings.append(.over(after: elapsed - outage.since, failedReadings: outage.failedReadings))
            self.outage = nil
        }
        if let error {
            if said[reader, default: []].insert(.failed(error.code)).inserted { findings.append(.failed) }
        } else if !isWhole {
            if said[reader, default: []].insert(.partial).inserted { findings.append(.partial) }
        } else if let before = said.removeValue(forKey: reader) {
            findings.append(before == [.partial] ? .whole : .works)
        }
        return findings
    }
}
