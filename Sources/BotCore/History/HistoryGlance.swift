import CEL

/// Reads of the rows of a recording, in their order, when they were written, and nothing else.
struct HistoryGlance {
    struct Row {
        var isState = false
        /// A row to begin at that knows nothing.
        var isEmptyState = false
        /// Of a decision: by this machine's clock.
        var localNow: Timestamp?
    }

    private(set) var now = Timestamp(seconds: 0)

    mutating func read(_ row: [UInt8]) throws(ByteReader.Failure) -> Row {
        var reader = ByteReader(row)
        _ = try reader.byte()
        switch try reader.word(HistoryForm.Row.self) {
        case .state:
            now = try reader.timestamp()
            return Row(isState: true, isEmptyState: try reader.count() == 0)
        case .decision:
            now = try reader.timestamp(after: now)
            return Row(localNow: try reader.timestamp(after: now))
        case .act:
            now = try reader.timestamp(after: now)
            return Row()
        }
    }
}
