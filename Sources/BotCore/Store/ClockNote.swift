import CEL
import Rules

extension StateReader {
    /// Which clock the times in what is printed go by; nil where the two show about the same.
    package func clockNote() throws -> String? { ClockNote(skew: try skew())?.text }
}

/// Says which clock is meant, where Zimmer's and this machine's are apart.
struct ClockNote {
    private static let unnoticed: Duration = .seconds(60)

    let text: String

    /// - Parameter skew: Zimmer's clock minus this machine's.
    init?(skew: Duration) {
        let isAhead = skew > .zero
        let size = isAhead ? skew : .zero - skew
        guard size > Self.unnoticed else { return nil }
        text =
            "Zimmer's clock is \(size.brief) \(isAhead ? "ahead of" : "behind") this machine's: slots, quiet hours, mutes"
            + " and messages go by this machine's, all else by Zimmer's"
    }
}
