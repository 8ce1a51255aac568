import CEL

/// Reads a command's arguments as POSIX and GNU programs do: `--name value`, `--name=value`, `-n value`, `-nvalue`, and `--`
/// ends the options. An argument such as `-1` is not an option.
struct ArgumentParser {
    private let command: CommandSpecification
    private var parsed: ParsedArguments
    private var texts: [String] = []

    init(_ command: CommandSpecification) {
        self.command = command
        parsed = ParsedArguments(command: command)
    }

    /// Whether `-h` stands among the options; it is looked for first, so that it works beside what is wrong.
    static func wantsHelp(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains { $0 == "-h" || $0 == "--help" }
    }

    static func isOption(_ argument: String) -> Bool {
        let bytes = argument.utf8
        guard bytes.count > 1, bytes.first == UInt8(ascii: "-") else { return false }
        return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes.dropFirst().first ?? 0)
    }

    consuming func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                texts += rest
                break
            }
            if Self.isOption(argument) { try readOption(argument, &rest) } else { texts.append(argument) }
        }
        try assignPositionals()
        if let option = command.options.first(where: { $0.isRequired && !parsed.has($0) }) {
            throw parsed.missing(option)
        }
        return parsed
    }

    private mutating func readOption(_ argument: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let (option, attached) = try find(argument)
        guard let valueName = option.valueName else {
            guard attached == nil else { throw error("--\(option.name) takes no value") }
            return parsed.set(option)
        }
        if let attached { return try parsed.set(option, attached) }
        // The next argument is the value, unless it is an option itself, which can only be a value forgotten.
        guard let next = rest.first, next != "--", !isKnownOption(next) else {
            throw error("--\(option.name) needs a value: --\(option.name) \(valueName)")
        }
        rest.removeFirst()
        try parsed.set(option, next)
    }

    private func isKnownOption(_ argument: String) -> Bool {
        Self.isOption(argument) && (try? find(argument)) != nil
    }

    /// The option that an argument names, and the value in the same argument.
    private func find(_ argument: String) throws(UsageError) -> (OptionSpecification, attached: String?) {
        guard argument.hasPrefix("--") else {
            let letter = argument.dropFirst().first
            guard let option = command.allOptions.first(where: { $0.short != nil && $0.short == letter }) else {
                throw unknown(argument)
            }
            let value = argument.dropFirst(2)
            return (option, value.isEmpty ? nil : String(value.first == "=" ? value.dropFirst() : value))
        }
        let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        guard let option = command.allOptions.first(where: { $0.name == name }) else { throw unknown("--\(name)") }
        return (option, parts.count > 1 ? String(parts[1]) : nil)
    }

    private func unknown(_ argument: String) -> UsageError {
        let hint = command.allOptions.hint(for: argument)
        guard hint.isEmpty, !command.positionals.isEmpty else { return error("unknown option \(argument)\(hint)") }
        return error("unknown option \(argument); put -- before an argument that begins with a dash")
    }

    private mutating func assignPositionals() throws(UsageError) {
        var rest = texts[...]
        for positional in command.positionals {
            switch positional.arity {
            case .one, .optional:
                if let text = rest.popFirst() {
                    parsed.set(positional, [text])
                } else if positional.arity == .one {
                    throw error("\(positional.name) is missing")
                }
            case .oneOrMore:
                guard !rest.isEmpty else { throw error("\(positional.name) is missing") }
                parsed.set(positional, Array(rest))
                rest = []
            }
        }
        guard let extra = rest.first else { return }
        let file = command.options.first { $0.isRequired && $0.valueName == "FILE" && !parsed.has($0) }
        let advice = file.map { "a file is named with \($0.heading)" } ?? "an argument with spaces has to be quoted"
        throw error("unexpected argument '\(extra)'; \(advice)")
    }

    private func error(_ message: String) -> UsageError {
        UsageError(message, of: command)
    }
}

extension [OptionSpecification] {
    /// `, did you mean --state?`, or nothing.
    func hint(for argument: String) -> String {
        NearMiss.best(of: map { "--\($0.name)" }, for: argument).map { ", did you mean \($0)?" } ?? ""
    }
}
