/// One poll of the board, in seconds.
struct PollMeasurement: Codable {
    /// Reading the pages: digests, parsing, decoding. With the transfer where that was not done beforehand.
    var read: Double
    /// `RuleSet.decide`.
    var decide: Double
    /// Everything else from the reading to the end of the transaction.
    var commit: Double
    /// What processors spent on all of it.
    var processor: Double
    /// What the poll led to.
    var episodes: Int
    var runs: Int
    var memory: ProcessUsage.Memory

    var total: Double { read + decide + commit }
}
