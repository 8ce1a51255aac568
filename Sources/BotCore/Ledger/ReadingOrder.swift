/// Tells which readings of one object come too late: two can be under way at once, and the one that began first says
/// nothing any more once the other one was taken.
struct ReadingOrder {
    private var begun = 0
    private var taken = 0

    /// Numbers a reading that begins now.
    mutating func begin() -> Int {
        begun += 1
        return begun
    }

    func isLate(_ number: Int) -> Bool { number <= taken }

    mutating func take(_ number: Int) { taken = max(taken, number) }
}
