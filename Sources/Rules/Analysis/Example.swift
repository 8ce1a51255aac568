import CEL

/// A situation in words: a thing for which a condition holds.
struct Example {
    private static let most = 6

    let text: String

    init(_ situation: Situation, of thing: String) {
        var fields: [String] = []
        var others: [String] = []
        for (term, domain) in situation.domains.sorted(by: { $0.key < $1.key }) {
            guard let value = domain.example else { continue }
            let prefix = "\(thing)."
            if term.hasPrefix(prefix), term.utf8.allSatisfy(\.isPartOfPath) {
                fields.append("\(term.dropFirst(prefix.utf8.count)): \(value)")
            } else {
                others.append("`\(term)` is \(value)")
            }
        }
        let shown = fields.isEmpty ? "a \(thing)" : "a \(thing) {\(fields.prefix(Self.most).joined(separator: ", "))}"
        let rest = others.prefix(2).map { " where \($0)" }.joined(separator: " and")
        text = shown + rest
    }
}

extension UInt8 {
    fileprivate var isPartOfPath: Bool {
        UnicodeScalar(self).properties.isAlphabetic || (0x30...0x39).contains(self) || [0x2E, 0x5F].contains(self)
    }
}

extension Domain {
    /// One of the values that are in it, as a rules file writes it; nil where any will do, or none can be named.
    fileprivate var example: String? {
        if let values { return values.filter(contains).map(\.text).min() }
        switch (lower?.value ?? upper?.value, lower != nil) {
        case (.duration(let length), true): return Constant.duration(length + .seconds(60)).text
        case (.duration(let length), false): return Constant.duration(max(.zero, length - .seconds(60))).text
        case (.number(let number), true): return Constant.number(lower?.isIncluded == true ? number : number + 1).text
        case (.number(let number), false): return Constant.number(upper?.isIncluded == true ? number : number - 1).text
        case (.time(let time), _): return Constant.time(time).text
        default: return nil
        }
    }
}

extension Constant {
    fileprivate var text: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .number(let number):
            number == number.rounded() && number.magnitude < 0x1p52 ? "\(Int64(number))" : "\(number)"
        case .duration(let duration): duration.ruleText
        case .time(let time): time.description
        }
    }
}

extension Duration {
    /// `72h1m`, as a rules file has it.
    fileprivate var ruleText: String {
        let seconds = components.seconds
        let parts = [(seconds / 3_600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")].filter { $0.0 > 0 }
        return parts.isEmpty ? "0s" : parts.map { "\($0.0)\($0.1)" }.joined()
    }
}
