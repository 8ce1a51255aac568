package import Rules

/// One thing that an observation took, as it is recorded.
package enum Intake: Sendable {
    case board(BoardReading, departed: [SubjectID: Departure])
    case health(HealthReading)
    case listing(Listing, departed: [SubjectID: Departure])
    case costs(CostsReading, CostsRequest)
    /// A read that failed or brought only a part, by the word of `watch:`.
    case failed(String, reason: String)
    case failedCosts(CostsRequest, reason: String)
    /// How Zimmer can be reached.
    case standing(ZimmerStanding)
    case channels([ChannelStatus])
}

extension Intake {
    /// Nothing is left of this once the other has come in.
    func isReplaced(by other: Intake) -> Bool {
        switch (self, other) {
        case (.board, .board), (.health, .health), (.standing, .standing), (.channels, .channels): true
        case (.listing(let a, _), .listing(let b, _)): a.kind == b.kind && (b.isWhole || !a.isWhole)
        case (.costs(_, let a), .costs(_, let b)), (.failedCosts(let a, _), .failedCosts(let b, _)): a == b
        case (.failed(let a, _), .failed(let b, _)): a == b
        default: false
        }
    }
}
