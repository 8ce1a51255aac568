import CEL

/// A place in a recording to begin at.
struct Beginning {
    var start: HistoryStore.Start
    /// When what is recorded from there on begins, by Zimmer's clock.
    var at: Timestamp
    /// Runs that started by then are not behind it.
    var after: Timestamp
    /// The first row by Zimmer's clock; those between it and the start go by this machine's, which may be any other.
    var row: Int64

    init(_ start: HistoryStore.Start) {
        (self.start, at, after, row) = (start, start.at, start.at, start.id)
    }
}

extension HistoryStore {
    /// Where a recording begins that can be read from a start on. A bot that records for the first time may not have heard
    /// of Zimmer yet: then it begins with the first decision by Zimmer's clock.
    func beginning(_ start: Start) throws -> Beginning {
        var beginning = Beginning(start)
        var glance = HistoryGlance()
        do {
            try rows(from: start.id) { id, row in
                let seen = try glance.read(row)
                if seen.isState, id == start.id {
                    guard seen.isEmptyState else { throw Ended() }
                } else if let local = seen.localNow, glance.now.isOther(than: local) {
                    (beginning.at, beginning.after) = (glance.now, glance.now - .microseconds(1))
                    beginning.row = id
                    throw Ended()
                } else if seen.isState {
                    throw Ended()
                }
            }
        } catch is Ended {
        } catch is ByteReader.Failure {
            // Who reads it whole says so.
        }
        return beginning
    }

    private struct Ended: Error {}
}

extension Timestamp {
    /// Read off two clocks: the bot takes differences of up to five seconds for none (`LedgerClocks.learn`).
    fileprivate func isOther(than local: Timestamp) -> Bool {
        let difference = self - local
        return difference > .seconds(4) || difference < .seconds(-4)
    }
}
