// Equality, ordering, arithmetic and membership.

final class EqualityNode: Node {
    private let left: any Node
    private let right: any Node
    /// False for `!=`.
    private let wanted: Bool
    private let site: Site

    init(_ left: any Node, _ right: any Node, wanted: Bool, _ site: Site) {
        self.left = left
        self.right = right
        self.wanted = wanted
        self.site = site
    }

    func evaluate(_ frame: inout Frame) -> Value {
        let a = left.evaluate(&frame)
        if a.isError { return a }
        let b = right.evaluate(&frame)
        if b.isError { return b }
        do {
            return .bool(try a.isEqual(to: b, &frame.budget) == wanted)
        } catch {
            return site.error(error)
        }
    }
}

/// Equality with a constant text: the comparison that rules are mostly made of.
final class TextEqualityNode: Node {
    private let operand: any Node
    private let text: String
    /// What comparing with the whole text costs. Only a text as long as this one is compared further than its length.
    private let weight: Int
    private let wanted: Bool

    init(_ operand: any Node, _ text: String, wanted: Bool) {
        self.operand = operand
        self.text = text
        weight = text.utf8.count >> 10 == 0 ? 0 : text.utf8.count >> 6
        self.wanted = wanted
    }

    func evaluate(_ frame: inout Frame) -> Value {
        switch operand.evaluate(&frame) {
        case .string(let value):
            if weight > 0, !isAffordable(value, &frame) { return .error(.budgetExceeded) }
            return .bool(value.hasSameText(as: text) == wanted)
        case .error(let error): return .error(error)
        default: return .bool(!wanted)
        }
    }

    private func isAffordable(_ value: String, _ frame: inout Frame) -> Bool {
        value.utf8.count != text.utf8.count || frame.budget.spend(weight)
    }
}

/// `<`, `<=`, `>`, `>=`.
final class OrderNode: Node {
    private let left: any Node
    private let right: any Node
    private let accepted: Orders
    /// How the left operand moves against the right one.
    private let motion: Motion?
    private let site: Site
    private let isNull: EvaluationError

    init(_ left: any Node, _ right: any Node, accepted: Orders, motion: Motion? = nil, _ site: Site) {
        self.left = left
        self.right = right
        self.accepted = accepted
        self.motion = motion
        self.site = site
        isNull = EvaluationError(.absent, "\(site.operand) is null", at: site.range)
    }

    func evaluate(_ frame: inout Frame) -> Value {
        let a = left.evaluate(&frame)
        if a.isError { return a }
        let b = right.evaluate(&frame)
        if b.isError { return b }
        guard frame.budget.spend(min(a.weight, b.weight)) else { return .error(.budgetExceeded) }
        if let order = a.compare(b) {
            motion?.note(a, b, &frame)
            return .bool(accepted.contains(Orders(order)))
        }
        if site.absence, a.isNull || b.isNull { return .error(isNull) }
        return site.error(.noSuchOverload, "\(a.typeName) and \(b.typeName) have no order")
    }
}

/// The orders for which a comparison holds.
struct Orders: OptionSet, Sendable {
    let rawValue: UInt8

    static let less = Orders(rawValue: 1)
    static let equal = Orders(rawValue: 2)
    static let greater = Orders(rawValue: 4)
    /// Of NaN: no comparison holds for it.
    static let unordered = Orders(rawValue: 8)
}

extension Orders {
    init(_ order: Ordering) {
        switch order {
        case .less: self = .less
        case .equal: self = .equal
        case .greater: self = .greater
        case .unordered: self = .unordered
        }
    }
}

/// An operator of two operands that is a function of their values.
final class BinaryOperatorNode: Node {
    private let left: any Node
    private let right: any Node
    private let operation: Overload.Binary
    private let site: Site

    init(_ left: any Node, _ right: any Node, _ operation: @escaping Overload.Binary, _ site: Site) {
        self.left = left
        self.right = right
        self.operation = operation
        self.site = site
    }

    func evaluate(_ frame: inout Frame) -> Value {
        let a = left.evaluate(&frame)
        if a.isError { return a }
        let b = right.evaluate(&frame)
        if b.isError { return b }
        do {
            return try operation(a, b, &frame.budget)
        } catch {
            return site.error(error, a, b)
        }
    }
}

final class NegateNode: Node {
    private let operand: any Node
    private let site: Site

    init(_ operand: any Node, _ site: Site) {
        self.operand = operand
        self.site = site
    }

    func evaluate(_ frame: inout Frame) -> Value {
        let value = operand.evaluate(&frame)
        if value.isError { return value }
        do {
            return try Arithmetic.negate(value)
        } catch {
            return site.error(error, value)
        }
    }
}

/// `x in list` and `key in map`.
enum Membership {
    static func contains(
        _ element: Value, _ container: Value, _ budget: inout Budget
    ) throws(EvaluationError) -> Value {
        switch container {
        case .list(let list):
            try budget.charge(list.count)
            for candidate in list where try candidate.isEqual(to: element, &budget) { return .bool(true) }
            return .bool(false)
        case .map(let map):
            try budget.charge(element.weight)
            return .bool(map[key: element] != nil)
        default:
            throw EvaluationError(.noSuchOverload, "'in' looks into a list or a map, not a \(container.typeName)")
        }
    }
}
