/// Finds the name that was probably meant.
package enum NearMiss {
    /// The candidate with the fewest slips of the keyboard from `name`, else the one that begins with this word; nil when
    /// none is close, or it is `name` itself.
    ///
    /// - Complexity: the product of the two lengths for each candidate; names longer than 64 bytes are not looked at.
    package static func best(of candidates: some Sequence<String>, for name: String) -> String? {
        guard name.utf8.count <= 64 else { return nil }
        return closest(of: candidates, to: name) ?? continuation(of: name, among: candidates)
    }

    private static func closest(of candidates: some Sequence<String>, to name: String) -> String? {
        let allowed = max(1, name.utf8.count / 3)
        return
            candidates
            .filter { abs($0.utf8.count - name.utf8.count) <= allowed }
            .map { (name: $0, distance: distance(from: name, to: $0)) }
            .filter { $0.distance > 0 && $0.distance <= allowed && $0.distance < name.utf8.count }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }

    /// `created_at` for `created`, `sortBy` for `sort`, when there is no other.
    private static func continuation(of name: String, among candidates: some Sequence<String>) -> String? {
        guard name.utf8.count >= 3 else { return nil }
        let longer = candidates.filter { candidate in
            guard candidate.utf8.starts(with: name.utf8) else { return false }
            return candidate.utf8.dropFirst(name.utf8.count).first.map { lowered($0) != $0 || $0 == UInt8(ascii: "_") }
                ?? false
        }
        return longer.count == 1 ? longer[0] : nil
    }

    /// `, did you mean 'status'?`, or nothing.
    package static func hint(_ candidate: String?) -> String {
        candidate.map { ", did you mean '\($0)'?" } ?? ""
    }

    /// Insertions, deletions, replacements and swaps of neighbours. Case alone is one slip, however many letters.
    private static func distance(from a: String, to b: String) -> Int {
        if a == b { return 0 }
        let a = a.utf8.map { lowered($0) }
        let b = b.utf8.map { lowered($0) }
        if a == b { return 1 }
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
