/// The right to a large answer: there is one at a time, and it is given back when nobody keeps it any more.
///
/// However many requests are on their way, one of them gets past `threshold` bytes. The others wait where they are, and
/// their servers with them, until what was made of that one is gone. So memory is bounded by the number of requests times
/// `threshold`, and one answer of the size that its request allows.
package final class LargeBody: Sendable {
    /// In bytes. A page of 100 sessions has a few hundred thousand.
    static let threshold = 2 << 20

    private let giveBack: @Sendable () -> Void

    init(giveBack: @escaping @Sendable () -> Void) {
        self.giveBack = giveBack
    }

    deinit {
        giveBack()
    }
}
