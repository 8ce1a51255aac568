package import CEL

/// What Zimmer spent in a window, at list price.
package struct CostsReading: Sendable {
    /// As it was asked for.
    package let window: CostsInterval
    /// The value of the variable `costs`.
    package let object: Object
    package let readAt: Timestamp
    /// Zimmer's clock when it answered.
    package let serverDate: Timestamp?

    /// A reading that was stored, or written down in a test.
    package init(_ object: Object, window: CostsInterval, readAt: Timestamp, serverDate: Timestamp? = nil) {
        self.window = window
        self.object = object
        self.readAt = readAt
        self.serverDate = serverDate
    }

    /// A reading that is known by its answer alone.
    init(_ object: Object, readAt: Timestamp, agentRoot: String?) {
        func time(_ field: String) -> Timestamp {
            if case .timestamp(let time) = object[field] { time } else { readAt }
        }
        let window = CostsInterval(from: time("from"), to: time("to"), agentRoot: agentRoot)
        self.init(object, window: window, readAt: readAt)
    }

    /// - Parameter json: the whole answer.
    init(_ json: JSONValue, window: CostsInterval, readAt: Timestamp, serverDate: Timestamp?) {
        let covered = json["ledger_coverage"]?["covers_until"].flatMap(WireDecoder.timestamp)
        // The server rounds both ends to the minute, and silently replaces what it cannot read by its default.
        let answered = json["window"]
        let values = WorldSchema.costs.fields.map { field -> Value in
            let name = "costs.\(field.name)"
            return switch field.name {
            case "from", "to": WireDecoder.value(field.type, answered?[field.name], name)
            case "complete": .bool(covered.map { $0 >= window.to } ?? false)
            default: WireDecoder.value(field.type, json[field.name], name)
            }
        }
        self.init(Object(WorldSchema.costs, values), window: window, readAt: readAt, serverDate: serverDate)
    }

    /// Zimmer's ledger has passed the end of the window.
    package var isComplete: Bool {
        if case .bool(true) = object["complete"] { true } else { false }
    }

    /// The answer is about the window that was asked for, to the minute.
    package var isOfWindow: Bool {
        func isClose(_ value: Value, _ wanted: Timestamp) -> Bool {
            guard case .timestamp(let time) = value else { return false }
            return abs(time.seconds - wanted.seconds) <= 60
        }
        return isClose(object["from"], window.from) && isClose(object["to"], window.to)
    }
}
