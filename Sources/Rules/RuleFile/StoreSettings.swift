/// `store`: how much of what was read is kept for `replay`.
package struct StoreSettings: Hashable, Sendable {
    package var keep: Duration = .seconds(30 * 86_400)
    /// Of the whole file, in bytes; beyond it the oldest readings go.
    package var maximumSize: Int64 = 1_000_000_000

    package init() {}
}
