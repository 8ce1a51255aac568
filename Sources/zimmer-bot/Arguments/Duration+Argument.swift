import Rules

extension Duration {
    /// `30s`, `5m`, `1h30m`, as in rules files.
    init(argument text: String, _ arguments: ParsedArguments) throws(UsageError) {
        guard let length = Duration(ruleText: text) else {
            throw arguments.usageError("'\(text)' is no duration: write 30s, 5m, 2h, 3d, 1w or a sum such as 1h30m")
        }
        self = length
    }
}
