package import CEL

/// What one reading of the board brought over the wire, and what the next one can share.
package struct BoardRows: Sendable {
    /// One page as it was answered.
    struct Page: Sendable {
        /// Of the body; equal for an equal body within this process.
        var digest: UInt64
        var etag: String?
        var rows: [SessionRow]
        var skippedRows: Int
        var totalCount: Int64?

        var isEmpty: Bool { rows.isEmpty && skippedRows == 0 }
    }

    /// Distinct by id, in Zimmer's order.
    package internal(set) var rows: [SessionRow] = []
    package internal(set) var isWhole = false
    package internal(set) var problem: String?
    /// The failure that ended the reading, if one did.
    package internal(set) var error: ZimmerError?
    package internal(set) var skippedRows = 0
    package internal(set) var serverDate: Timestamp?
    /// Zimmer's clock minus ours, when the first page came; nil when Zimmer did not say.
    package internal(set) var skew: Duration?
    var pages: [Page] = []

    init() {}

    /// A whole board that was made up.
    package init(whole rows: [SessionRow]) {
        self.rows = rows
        isWhole = true
    }
}
