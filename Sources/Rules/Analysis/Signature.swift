import CEL

/// A text that two values have in common when they are written the same, wherever they stand.
///
/// It is made of all that a value consists of, so that a key that steps or rules get later cannot be forgotten here.
struct Signature: Hashable {
    private(set) var text = ""

    /// Parts of a rule that say nothing about what it does, or that are compared in another way.
    private static let leftOut: Set<String> = [
        "name", "position", "description", "mode", "trigger", "environment", "bindings", "constants", "condition",
        "meaning", "limit",
    ]

    /// Of what a rule does and when, its condition left aside.
    init(of rule: Rule) {
        switch rule.trigger {
        case .watch(let watchable): text += "watch \(watchable.name);"
        case .schedule(let schedule): text += "schedule \(schedule.text);"
        case .sweep(let schedule, let watchable): text += "watch \(watchable.name) at \(schedule.text);"
        case .command(let word): text += "command \(word);"
        }
        for (label, value) in Mirror(reflecting: rule).children where !Self.leftOut.contains(label ?? "") {
            add(value, label)
        }
        // What the condition makes of them is looked at by itself.
        let onceProgram: Program? = if case .value(let program) = rule.once { program } else { nil }
        let others = rule.stepPrograms + [rule.key, onceProgram].compactMap(\.self)
        let names = Set(others.flatMap(\.references).map(\.variable))
        guard rule.bindings.contains(where: { names.contains($0.name) }) else { return }
        for binding in rule.bindings { text += "let \(binding.name)=\(binding.program.source);" }
    }

    private mutating func add(_ value: Any, _ label: String?) {
        switch value {
        case is SourcePosition: return
        case let program as Program: text += "\(label ?? ""):\(program.source.debugDescription);"
        case let string as String: text += "\(label ?? ""):\(string.debugDescription);"
        default:
            let mirror = Mirror(reflecting: value)
            guard !mirror.children.isEmpty else {
                text += "\(label ?? ""):\(value);"
                return
            }
            // The case of an enumeration is the label of its only child.
            text += "\(label ?? ""){"
            for child in mirror.children { add(child.value, child.label) }
            text += "}"
        }
    }
}
