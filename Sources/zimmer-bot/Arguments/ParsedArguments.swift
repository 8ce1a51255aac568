/// The arguments of one call, read by the declarations of its command.
struct ParsedArguments: Sendable {
    /// No arguments at all.
    static let none = ParsedArguments(command: nil)

    private let command: CommandSpecification?
    private(set) var values: [String: String] = [:]
    private(set) var flags: Set<String> = []
    private(set) var positionals: [String: [String]] = [:]

    init(command: CommandSpecification?) {
        self.command = command
    }

    subscript(flag: Flag) -> Bool { flags.contains(flag.specification.name) }

    /// The option's value, nil if it was not given.
    subscript<Value>(option: Option<Value>) -> Value? {
        get throws(UsageError) {
            guard let text = values[option.specification.name] else { return nil }
            do {
                return try option.read(text)
            } catch {
                throw usageError("--\(option.specification.name): \(error.reason)")
            }
        }
    }

    subscript<Value>(positional: Positional<Value>) -> Value {
        positional.read(positionals[positional.specification.name] ?? [])
    }

    /// The value of an option declared as required.
    func required<Value>(_ option: Option<Value>) throws(UsageError) -> Value {
        guard let value = try self[option] else { throw missing(option.specification) }
        return value
    }

    func missing(_ option: OptionSpecification) -> UsageError {
        usageError("--\(option.name)\(option.valueName.map { " \($0)" } ?? "") is missing")
    }

    func has(_ option: OptionSpecification) -> Bool {
        values[option.name] != nil || flags.contains(option.name)
    }

    /// An error about these arguments that the declarations could not find.
    func usageError(_ message: String) -> UsageError {
        command.map { UsageError(message, of: $0) } ?? UsageError(message, usage: "")
    }

    // MARK: Filling, by the parser

    mutating func set(_ option: OptionSpecification, _ value: String) throws(UsageError) {
        guard values.updateValue(value, forKey: option.name) == nil else {
            throw usageError("--\(option.name) is given twice")
        }
    }

    mutating func set(_ flag: OptionSpecification) {
        flags.insert(flag.name)
    }

    mutating func set(_ positional: PositionalSpecification, _ texts: [String]) {
        positionals[positional.name] = texts
    }
}
