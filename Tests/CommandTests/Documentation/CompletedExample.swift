/// A whole file made of an example that shows a part of one: a few settings, or some rules.
struct CompletedExample {
    private static let settings = [
        "zimmer": #"zimmer: {url: "https://zimmer.example.com", api_key: {env: ZIMMER_API_KEY}}"#,
        "channels": "channels: {ops: {adapter: console}, pager: {adapter: webhook, url: {env: PAGER_URL}}}",
        "notices": "notices: {channels: [ops]}",
    ]
    private static let rule = """
        rules:
          - name: example
            watch: session
            do: [{post: ops, text: hello}]
        """

    let text: String

    /// - Parameter settingsLast: leaves the example's lines where they are.
    init(_ example: String, settingsLast: Bool = false) {
        let isRules = example.hasPrefix("- name:")
        let keys = isRules ? ["rules"] : example.split(separator: "\n").compactMap(Self.key)
        var parts = Self.settings.filter { !keys.contains($0.key) }.map(\.value).sorted()
        if isRules { parts.append("rules:") }
        parts.append(example)
        if !keys.contains("rules") { parts.append(Self.rule) }
        if settingsLast { parts = [example] + parts.filter { $0 != example } }
        text = parts.joined(separator: "\n") + "\n"
    }

    /// The key of a line that is not indented.
    private static func key(_ line: Substring) -> String? {
        guard let first = line.first, first.isLetter else { return nil }
        return String(line.prefix { $0 != ":" })
    }
}
