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

    private var outage: (said: Set<ZimmerTrouble>, since: Duration, failedReadings: Int)?
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
            var outage = self.outage ?? ([], elapsed, 0)
            if error != nil { outage.failedReadings += 1 }
            let isNews = outage.said.insert(trouble).inserted
            self.outage = outage
            return isNews ? [.outage] : []
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
