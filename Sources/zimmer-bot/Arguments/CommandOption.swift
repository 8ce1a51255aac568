/// What is known of an option without the type of its value.
struct OptionSpecification: Sendable {
    /// Without the dashes: `state`.
    let name: String
    let short: Character?
    /// Nil for a flag.
    let valueName: String?
    let help: String
    var isRequired = false

    /// `-c FILE`, `[--count N]`.
    var usage: String {
        let name = short.map { "-\($0)" } ?? "--\(name)"
        let usage = valueName.map { "\(name) \($0)" } ?? name
        return isRequired ? usage : "[\(usage)]"
    }

    /// `-c, --config FILE`, as the list of options shows it.
    var heading: String {
        let long = valueName.map { "--\(name) \($0)" } ?? "--\(name)"
        return short.map { "-\($0), \(long)" } ?? long
    }
}

/// An option of a command: `Option` or `Flag`.
protocol CommandOption: Sendable {
    var specification: OptionSpecification { get }
}

/// An option that is there or not: `--json`.
struct Flag: CommandOption {
    let specification: OptionSpecification

    init(_ name: String, short: Character? = nil, _ help: String) {
        specification = OptionSpecification(name: name, short: short, valueName: nil, help: help)
    }
}

/// An option with a value: `--count N`.
struct Option<Value: Sendable>: CommandOption {
    private(set) var specification: OptionSpecification
    /// The value that a text stands for, or what is wrong with it: `'x' is not a number from 1 to 10`.
    let read: @Sendable (String) throws(InvalidValue) -> Value

    init(
        _ name: String, short: Character? = nil, _ valueName: String, _ help: String,
        read: @escaping @Sendable (String) throws(InvalidValue) -> Value
    ) {
        specification = OptionSpecification(name: name, short: short, valueName: valueName, help: help)
        self.read = read
    }

    /// The same option, which its command cannot do without.
    var required: Option {
        var option = self
        option.specification.isRequired = true
        return option
    }
}

/// What is wrong with an option's value, to be put behind the option's name.
struct InvalidValue: Error, Sendable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

extension Option where Value == String {
    init(_ name: String, short: Character? = nil, _ valueName: String, _ help: String) {
        self.init(name, short: short, valueName, help) { text throws(InvalidValue) in text }
    }
}

extension Option where Value == Int {
    init(_ name: String, _ valueName: String, in range: ClosedRange<Int>, _ help: String) {
        self.init(name, valueName, help) { text throws(InvalidValue) in
            guard let number = Int(text), range.contains(number) else {
                throw InvalidValue("'\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }
}

extension Option where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the words of an enumeration, which are also the name of the value: `--color auto|always|never`.
    init(_ name: String, _ help: String) {
        let words = Value.allCases.map(\.rawValue)
        self.init(name, words.joined(separator: "|"), help) { text throws(InvalidValue) in
            guard let value = Value(rawValue: text) else {
                throw InvalidValue("'\(text)' is none of \(words.joined(separator: ", "))")
            }
            return value
        }
    }
}
