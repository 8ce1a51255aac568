// Literals of lists and maps.

final class ListNode: Node {
    private let elements: [(node: any Node, isOptional: Bool)]
    private let site: Site

    init(_ elements: [(node: any Node, isOptional: Bool)], _ site: Site) {
        self.elements = elements
        self.site = site
    }

    func evaluate(_ frame: inout Frame) -> Value {
        var list: [Value] = []
        list.reserveCapacity(elements.count)
        for (node, isOptional) in elements {
            let value = node.evaluate(&frame)
            if value.isError { return value }
            guard isOptional else {
                list.append(value)
                continue
            }
            guard case .optional(let optional) = value else { return site.notOptional(value) }
            if let wrapped = optional.wrapped { list.append(wrapped) }
        }
        return .list(list)
    }
}

final class MapNode: Node {
    private let entries: [(key: any Node, value: any Node, isOptional: Bool)]
    private let site: Site

    init(_ entries: [(key: any Node, value: any Node, isOptional: Bool)], _ site: Site) {
        self.entries = entries
        self.site = site
    }

    func evaluate(_ frame: inout Frame) -> Value {
        var map: [(key: Value, value: Value)] = []
        map.reserveCapacity(entries.count)
        for entry in entries {
            let key = entry.key.evaluate(&frame)
            if key.isError { return key }
            let value = entry.value.evaluate(&frame)
            if value.isError { return value }
            guard entry.isOptional else {
                map.append((key, value))
                continue
            }
            guard case .optional(let optional) = value else { return site.notOptional(value) }
            if let wrapped = optional.wrapped { map.append((key, wrapped)) }
        }
        return site.map(map, &frame.budget)
    }
}

extension Site {
    fileprivate func notOptional(_ value: Value) -> Value {
        error(
            absence && value.isNull ? .absent : .noSuchOverload,
            "'?' needs an optional after it, not a \(value.typeName)")
    }

    /// A map of these entries, or the error that two keys are equal or one cannot be a key.
    func map(_ entries: [(key: Value, value: Value)], _ budget: inout Budget) -> Value {
        do {
            for entry in entries { try budget.charge(entry.key.weight) }
            return .map(try MapValue(validating: entries))
        } catch {
            let isAbsent = absence && error.code == .noSuchOverload && entries.contains { $0.key.isNull }
            return isAbsent ? self.error(.absent, "a key is null") : self.error(error)
        }
    }
}
