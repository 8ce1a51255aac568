/// A named value of a request, under Zimmer's own name for it.
package struct WireMember: Hashable, Sendable, Codable, CustomStringConvertible {
    package enum Value: Hashable, Sendable, Codable, CustomStringConvertible {
        case text(String)
        case integer(Int64)
        case number(Double)
        case flag(Bool)
        case words([String])

        package var description: String {
            switch self {
            case .text(let text): text
            case .integer(let number): String(number)
            case .number(let number): String(number)
            case .flag(let flag): String(flag)
            case .words(let words): "[\(words.joined(separator: ", "))]"
            }
        }
    }

    package var name: String
    package var value: Value

    package init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    package var description: String { "\(name) \(value)" }
}

extension [WireMember] {
    package subscript(name: String) -> WireMember.Value? { first { $0.name == name }?.value }

    package var text: String { map(\.description).joined(separator: ", ") }
}
