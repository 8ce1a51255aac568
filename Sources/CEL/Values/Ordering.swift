/// How two ordered values relate.
package enum Ordering: Hashable, Sendable {
    case less, equal, greater

    package init<T: Comparable>(_ a: T, _ b: T) {
        self = a < b ? .less : (b < a ? .greater : .equal)
    }

    var reversed: Ordering {
        switch self {
        case .less: .greater
        case .equal: .equal
        case .greater: .less
        }
    }
}
