/// The options of every command. They may also stand before its name.
enum CommonOptions {
    static let state = Option(
        "state", "DIR", "where the bot keeps its state (default: $STATE_DIRECTORY, else XDG state)")
    static let json = Flag("json", "print the result as JSON")
    static let color = Option<ColorChoice>(
        "color", "when to use colour; auto does on a terminal, unless NO_COLOR is set")
    static let help = Flag("help", short: "h", "show this help")

    static let all = [state.specification, json.specification, color.specification, help.specification]
}

extension Option where Value == String {
    /// The option of the commands that read a rules file.
    static var config: Option { Option("config", short: "c", "FILE", "the rules file") }
}
