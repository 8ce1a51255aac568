/// An immutable CEL map. Keys are bool, int, uint or string; `1`, `1u` and `1.0` find the same entry.
package final class MapValue: Sendable {
    /// In the order of construction, which iteration keeps.
    package let entries: [(key: Value, value: Value)]

    package init(_ entries: [(key: Value, value: Value)]) {
        self.entries = entries
    }
}
