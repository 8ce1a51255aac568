package import CEL

/// The functions that rules have beyond CEL's own (docs/expressions.md).
package enum RuleFunctions {
    /// - Parameters:
    ///   - zone: the rule's, for dates and windows.
    ///   - nowSlot: where the activation has `now`; without it, what reads the clock is an error.
    package static func all(zone: String, nowSlot: Int?) -> [Function] {
        text + lists + times(Zone(clock: .named(zone), nowSlot: nowSlot))
    }

    private static let text: [Function] = [
        Function(
            "usd",
            [
                .init([.double], returns: .string) { arguments, _ in dollars(arguments.first) },
                .init([.int], returns: .string) { arguments, _ in dollars(arguments.first) },
            ], documentation: "An amount in dollars, with cents, or a third decimal under a dollar."),
        Function(
            "humanize",
            [
                .init([.duration], returns: .string) { arguments, _ in humanized(arguments.first) },
                .init([.int], returns: .string) { arguments, _ in humanized(arguments.first) },
            ], documentation: "A duration, or seconds, in the two largest units."),
        Function(
            "truncate", [.init([.string, .int], returns: .string) { arguments, _ in truncated(arguments) }],
            documentation: "A text cut to so many characters, the last of which is then '…'."),
        Function(
            "link",
            [
                .init([.string, .string], returns: .object(RichText.link)) { arguments, _ in
                    .object(Object(RichText.link, arguments))
                }
            ], documentation: "A link in a message: its words and an https address."),
        Function(
            "markdown",
            [
                .init([.string], returns: .object(RichText.markdown)) { arguments, _ in
                    .object(Object(RichText.markdown, arguments))
                }
            ], documentation: "A text that a message shows as Markdown: only for what you trust."),
        Function(
            "sparkline",
            [Type.double, .int].map { element in
                .init([.list(element)], returns: .string) { arguments, _ in Sparkline.draw(arguments.first) }
            }, documentation: "Numbers as a line of small bars."),
    ]

    private static func dollars(_ value: Value?) -> Value {
        guard let amount = value?.number else { return .refused("usd() takes a number") }
        // Beyond this a double has no cents.
        guard amount.magnitude < 1e13 else { return .refused("usd() takes amounts under ten trillion") }
        let thousandths = (amount.magnitude * 1_000).rounded()
        let sign = amount < 0 && thousandths > 0 ? "-" : ""
        if thousandths < 1_000 { return .string("\(sign)$0.\(Int(thousandths).padded(3))") }
        let cents = Int((amount.magnitude * 100).rounded())
        return .string("\(sign)$\(cents / 100).\((cents % 100).padded(2))")
    }

    private static func humanized(_ value: Value?) -> Value {
        switch value {
        case .duration(let duration): .string(duration.humanized)
        case .int(let seconds): .string(Duration.seconds(seconds).humanized)
        default: .refused("humanize() takes a duration, or an int of seconds")
        }
    }

    private static func truncated(_ arguments: [Value]) -> Value {
        guard arguments.count == 2, case .string(let text) = arguments[0], case .int(let length) = arguments[1],
            length >= 0
        else { return .refused("truncate() takes a string and a length") }
        guard let limit = Int(exactly: length), text.utf8.count > limit, text.count > limit else {
            return .string(text)
        }
        return .string(limit == 0 ? "" : text.prefix(limit - 1) + "…")
    }
}

extension Value {
    static func refused(_ message: String) -> Value {
        .error(EvaluationError(.invalidArgument, message))
    }

    var number: Double? {
        switch self {
        case .double(let number): number
        case .int(let number): Double(number)
        case .uint(let number): Double(number)
        default: nil
        }
    }
}
