import CEL

/// Reading scalars by the type that their field declares.
///
/// Each of these reports what is wrong and returns nil; a value that YAML itself could not read has been reported already.
extension DiagnosticCollector {
    /// A single value; `what` names the type in the message about anything else.
    func scalar(_ entry: YAMLEntry, _ what: String) -> YAMLScalar? {
        switch entry.value.content {
        case .unreadable: return nil
        case .scalar(let scalar):
            if scalar.style == .plain, scalar.text.isEmpty, scalar.comment == nil {
                error("'\(entry.key)' has no value: it takes \(what)", at: entry.keyRange)
                return nil
            }
            return scalar
        case .sequence, .mapping:
            let kind = if case .sequence = entry.value.content { "a list" } else { "a map" }
            error("'\(entry.key)' takes \(what), not \(kind)", at: entry.value.range.prefix(1))
            return nil
        }
    }

    /// Any text, exactly as written. One that a comment cuts short is probably not what was meant.
    func text(_ entry: YAMLEntry, _ what: String = "text") -> String? {
        guard let scalar = scalar(entry, what) else { return nil }
        guard let comment = scalar.comment else { return scalar.text }
        error(
            "'\(entry.key)' ends before '\(source.text(comment.prefix(40)))', which YAML takes for a comment: "
                + "quote the text, or move the comment to a line of its own", at: comment)
        return nil
    }

    /// A name, word or address: has no blanks, so that what follows it can be a comment.
    func word(_ entry: YAMLEntry, _ what: String) -> String? {
        guard let scalar = scalar(entry, what) else { return nil }
        guard !scalar.text.isEmpty else {
            error("'\(entry.key)' has no value: it takes \(what)", at: entry.value.range.prefix(1))
            return nil
        }
        guard !scalar.text.contains("{{") else {
            error("'\(entry.key)' cannot be computed in this version: it takes \(what)", at: entry.value.range)
            return nil
        }
        return scalar.text
    }

    func boolean(_ entry: YAMLEntry) -> Bool? {
        guard let text = word(entry, "true or false") else { return nil }
        switch text {
        case "true": return true
        case "false": return false
        default:
            let meant = ["yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"]
            let lower = text.lowercased()
            let fix = meant[lower] ?? (["true", "false"].contains(lower) ? lower : nil)
            error(
                "'\(entry.key)' takes true or false, not '\(text)'" + (fix.map { ": write \($0)" } ?? ""),
                at: entry.value.range, suggestion: nil)
            return nil
        }
    }

    func integer(_ entry: YAMLEntry, in bounds: ClosedRange<Int>) -> Int? {
        let what = "a whole number"
        guard let text = word(entry, what) else { return nil }
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let hasLeadingZero = digits.count > 1 && digits.hasPrefix("0")
        guard !hasLeadingZero, let magnitude = Int(digits: digits) else {
            error("'\(entry.key)' takes \(what) in plain decimal, not '\(text)'", at: entry.value.range)
            return nil
        }
        let number = text.hasPrefix("-") ? -magnitude : magnitude
        guard bounds.contains(number) else {
            let limits =
                bounds.upperBound == .max
                ? "at least \(bounds.lowerBound)" : "\(bounds.lowerBound) to \(bounds.upperBound)"
            error("'\(entry.key)' takes \(limits), not \(number)", at: entry.value.range)
            return nil
        }
        return number
    }

    func duration(_ entry: YAMLEntry, atLeast least: Duration = .zero, atMost most: Duration? = nil) -> Duration? {
        guard let text = word(entry, "a duration such as 15m") else { return nil }
        guard let duration = Duration(ruleText: text) else {
            let hint =
                Int(digits: text) == nil
                ? "write 30s, 5m, 2h, 3d, 1w or a sum such as 1h30m" : "it needs a unit, s m h d or w"
            error("'\(entry.key)': '\(text)' is no duration: \(hint)", at: entry.value.range)
            return nil
        }
        guard duration >= least else {
            error("'\(entry.key)' takes at least \(least.humanized)", at: entry.value.range)
            return nil
        }
        if let most, duration > most {
            error("'\(entry.key)' takes at most \(most.humanized)", at: entry.value.range)
            return nil
        }
        return duration
    }

    /// One of a few words.
    func choice(_ entry: YAMLEntry, _ words: [String], later: [String] = []) -> String? {
        guard let text = word(entry, words.joined(separator: ", ")) else { return nil }
        if words.contains(text) { return text }
        if later.contains(text) {
            error(Language.notSupported(text), at: entry.value.range)
        } else {
            error(
                "'\(entry.key)' takes \(words.joined(separator: ", ")), not '\(text)'", at: entry.value.range,
                suggestion: NearMiss.best(of: words, for: text))
        }
        return nil
    }

    /// A list of entries under the key of the list, also for one that is written without brackets.
    func elements(_ entry: YAMLEntry) -> [YAMLEntry]? {
        switch entry.value.content {
        case .unreadable: return nil
        case .scalar: return [entry]
        case .sequence(let nodes):
            return nodes.map { YAMLEntry(key: entry.key, keyRange: entry.keyRange, value: $0) }
        case .mapping:
            error("'\(entry.key)' takes a word or a list of them, not a map", at: entry.value.range.prefix(1))
            return nil
        }
    }

    /// `{env: NAME}`, `{file: PATH}` or `{credential: NAME}`. What stands in its place is never shown.
    func secret(_ entry: YAMLEntry) -> SecretReference? {
        let ways = "{env: NAME}, {file: PATH} or {credential: NAME}"
        guard case .mapping(let map) = entry.value.content else {
            hide(entry.value.range)
            guard case .unreadable = entry.value.content else {
                error(
                    "'\(entry.key)' is a secret, which does not belong in this file: write \(ways)",
                    at: entry.value.range)
                return nil
            }
            return nil
        }
        guard map.count == 1, let only = map.first, ["env", "file", "credential"].contains(only.key) else {
            hide(entry.value.range)
            error("'\(entry.key)' is a secret: write one of \(ways)", at: entry.value.range)
            return nil
        }
        guard let name = word(only, "a name") else { return nil }
        let position = source.position(at: entry.value.range.lowerBound)
        switch only.key {
        case "env" where name.isVariableName: return SecretReference(.environment(name), position: position)
        case "file": return SecretReference(.file(name), position: position)
        case "credential" where !name.contains("/"): return SecretReference(.credential(name), position: position)
        default:
            hide(only.value.range)
            let isReference = only.key == "env" && name.hasPrefix("$")
            error(
                isReference
                    ? "'env' takes the variable's name alone, without '$'"
                    : "'\(only.key)' takes the name of a secret, not the secret itself", at: only.value.range)
            return nil
        }
    }
}

extension Duration {
    /// `30s`, `5m`, `2h`, `3d`, `1w`, and sums of them. Nil for anything else, and beyond a hundred years.
    package init?(ruleText text: String) {
        var total: Int64 = 0
        var rest = text.utf8[...]
        repeat {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard (1...10).contains(digits.count), let unit = rest.dropFirst(digits.count).first else { return nil }
            let number = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
            switch unit {
            case UInt8(ascii: "s"): total += number
            case UInt8(ascii: "m"): total += number * 60
            case UInt8(ascii: "h"): total += number * 3_600
            case UInt8(ascii: "d"): total += number * 86_400
            case UInt8(ascii: "w"): total += number * 604_800
            default: return nil
            }
            guard total <= 36_525 * 86_400 else { return nil }
            rest = rest.dropFirst(digits.count + 1)
        } while !rest.isEmpty
        self = .seconds(total)
    }
}

extension String {
    /// As environment variables and CEL's identifiers are named.
    var isVariableName: Bool {
        let scalars = unicodeScalars
        guard let first = scalars.first, first == "_" || first.isASCII && first.properties.isAlphabetic else {
            return false
        }
        return scalars.allSatisfy {
            $0 == "_" || $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
        }
    }
}

extension String {
    /// What is sent under this name lets somebody in: `Authorization`, `X-Api-Key`.
    var namesCredential: Bool {
        let words = ["authorization", "cookie", "token", "secret", "password", "apikey"]
        let letters = lowercased().filter { $0 != "-" && $0 != "_" }
        return words.contains { letters.contains($0) }
    }
}

extension DiagnosticCollector {
    /// Something that should be there. Where parts of the file could not be read it may have been in one of them.
    func missing(_ message: String, at range: Range<Int>, _ suggestion: String? = nil) {
        if !hasHoles { error(message, at: range, suggestion: suggestion) }
    }
}
