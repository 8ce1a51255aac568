import CEL

/// The numbers of a post's chart, before it is drawn.
package struct ChartDraft: Hashable, Sendable {
    package struct Point: Hashable, Sendable {
        package var label: String
        package var value: Double
    }

    package var title: String
    package var points: [Point]

    /// - Parameter costs: a window of costs as it was read.
    init(_ kind: ChartRequest.Kind, of costs: Object) {
        let (field, name): (String, String)
        switch kind {
        case .costByDay: (title, field, name) = ("Cost by day", "by_day", "day")
        case .costByRoot: (title, field, name) = ("Cost by agent root", "by_agent_root", "agent_root")
        }
        guard case .list(let rows) = costs.value(of: field) else {
            points = []
            return
        }
        points = rows.compactMap { row in
            guard case .object(let row) = row, case .string(let label) = row.value(of: name),
                case .double(let value) = row.value(of: "cost_usd"), value.isFinite
            else { return nil }
            return Point(label: label, value: value)
        }
    }
}

extension Object {
    fileprivate func value(of field: String) -> Value {
        type.slot(of: field).map { slots[$0] } ?? .null
    }
}
