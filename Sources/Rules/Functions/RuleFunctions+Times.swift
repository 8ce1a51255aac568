import CEL

extension RuleFunctions {
    /// Where times are read: on which wall, and which slot holds `now`.
    struct Zone: Sendable {
        var clock: LocalClock
        var nowSlot: Int?

        func now(_ activation: Activation) -> Result<Timestamp, EvaluationError> {
            guard let nowSlot else { return .failure(EvaluationError(.noSuchVariable, "'now' has no value here")) }
            switch activation[nowSlot] {
            case .timestamp(let now): return .success(now)
            case .error(let error): return .failure(error)
            default: return .failure(EvaluationError(.noSuchVariable, "'now' has no value here"))
            }
        }
    }

    static func times(_ zone: Zone) -> [Function] {
        [
            Function(
                "ago",
                [
                    .init([.timestamp], returns: .string, reads: ["now"]) { arguments, activation in
                        guard case .timestamp(let time) = arguments.first else {
                            return .refused("ago() takes a timestamp")
                        }
                        switch zone.now(activation) {
                        case .failure(let error): return .error(error)
                        case .success(let now): return .string(ago(now - time))
                        }
                    }
                ], documentation: "How long ago a time was, or in how long it will be."),
            Function(
                "date",
                [
                    .init([.timestamp, .string], returns: .string) { arguments, _ in
                        guard arguments.count == 2, case .timestamp(let time) = arguments[0],
                            case .string(let pattern) = arguments[1]
                        else { return .refused("date() takes a timestamp and a pattern") }
                        do throws(EvaluationError) {
                            return .string(try DatePattern(pattern).format(time, on: zone.clock))
                        } catch {
                            return .error(error)
                        }
                    }
                ], documentation: "A time on the rule's wall clock, by a pattern such as yyyy-MM-dd HH:mm."),
            Function(
                "within",
                [
                    .init([.string], returns: .bool, reads: ["now"]) { arguments, activation in
                        guard case .string(let text) = arguments.first, let window = WeekWindow(parsing: text) else {
                            return .refused(WeekWindow.help)
                        }
                        switch zone.now(activation) {
                        case .failure(let error): return .error(error)
                        case .success(let now): return .bool(window.contains(zone.clock.local(now.seconds)))
                        }
                    }
                ], documentation: "Whether it is now one of these times of the week, on the rule's wall clock."),
        ]
    }

    private static func ago(_ age: Duration) -> String {
        if age < .seconds(1), age > .seconds(-1) { return "now" }
        return age < .zero ? "in \((.zero - age).humanized)" : "\(age.humanized) ago"
    }
}
