package import CEL

/// Zimmer's health report.
package struct HealthReading: Sendable {
    /// The value of the variable `health`.
    package let object: Object
    package var readAt: Timestamp
    /// Zimmer's clock when it answered.
    package let serverDate: Timestamp?

    /// A reading that was stored, or written down in a test.
    package init(_ object: Object, readAt: Timestamp, serverDate: Timestamp? = nil) {
        self.object = object
        self.readAt = readAt
        self.serverDate = serverDate
    }

    /// - Parameter json: the whole answer.
    init(_ json: JSONValue, readAt: Timestamp, serverDate: Timestamp?) {
        let report = json["health_report"]
        let values = WorldSchema.health.fields.map { field -> Value in
            let name = "health.\(field.name)"
            return switch field.name {
            case "queue_recovery_mode": WireDecoder.value(field.type, json[field.name], name)
            case "report": WireDecoder.value(field.type, report, name)
            case "problems": Self.problems(report)
            default: WireDecoder.value(field.type, report?[field.name], name)
            }
        }
        self.init(Object(WorldSchema.health, values), readAt: readAt, serverDate: serverDate)
    }

    /// Sections in trouble, those too that only a newer server has.
    private static func problems(_ report: JSONValue?) -> Value {
        guard let report, report.kind == .object else {
            return .error(.unreadable("Zimmer's answer has no health report"))
        }
        let problems = report.members.compactMap { section -> Value? in
            guard let status = section.value["status"], let word = status["status"]?.string,
                word == "warning" || word == "critical"
            else { return nil }
            let message = status["message"]?.string ?? ""
            let values: [Value] = [.string(section.name), .string(word), .string(message)]
            return .object(Object(WorldSchema.healthProblem, values))
        }
        return .list(problems)
    }

    /// Whether what Zimmer knows of pull requests stands still: recovery mode is on, or the queue that reads them is
    /// paused. Nil when the report does not say.
    package var arePullRequestsFrozen: Bool? {
        guard case .object(let mode) = object["queue_recovery_mode"], case .bool(let active) = mode["active"],
            case .list(let paused) = mode["paused_queues"]
        else { return nil }
        let isPaused = paused.contains { if case .string(let queue) = $0 { queue == "pollers" } else { false } }
        return active || isPaused
    }
}
