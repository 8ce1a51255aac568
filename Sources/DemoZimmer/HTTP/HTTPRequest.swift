/// A request as it came in: the target's parts decoded, the body whole.
package struct HTTPRequest: Sendable, Hashable {
    package var method: String
    /// The target as it stood on the wire, query included.
    package var target: String
    /// The path's components, percent-decoded.
    package var path: [String]
    /// The query's items in order, percent-decoded.
    package var query: [QueryItem]
    package var headers: [HTTPHeader]
    package var body: [UInt8]

    package struct QueryItem: Sendable, Hashable {
        package var name: String
        package var value: String
    }

    /// Nil when the target is not a path, or an escape in it is not UTF-8.
    package init?(method: String, target: String, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first, path.utf8.first == UInt8(ascii: "/") else { return nil }
        var components: [String] = []
        for component in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let decoded = percentDecoded(component, plusIsSpace: false) else { return nil }
            components.append(decoded)
        }
        var query: [QueryItem] = []
        for item in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = percentDecoded(pair[0], plusIsSpace: true),
                let value = percentDecoded(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
            else { return nil }
            query.append(QueryItem(name: name, value: value))
        }
        self.method = method
        self.target = target
        self.path = components
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The path without the query, decoded: `/api/v1/sessions`.
    package var pathText: String { "/" + path.joined(separator: "/") }

    /// The body as JSON, if it is that.
    package var json: JSON? { JSON(parsing: body) }

    /// Whether it asks for something to change.
    package var isWrite: Bool { method != "GET" && method != "HEAD" }

    /// The first header of that name, in any case.
    package func header(_ name: String) -> String? { headers.value(name) }

    /// The last query item of that name, as Rails reads it.
    package func queryValue(_ name: String) -> String? {
        query.last { $0.name == name }?.value
    }
}

package struct HTTPHeader: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [HTTPHeader] {
    package func value(_ name: String) -> String? {
        let name = name.lowercased()
        return first { $0.name.lowercased() == name }?.value
    }
}

private func percentDecoded(_ text: Substring, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "%"):
            guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
                return nil
            }
            bytes.append(high << 4 | low)
        case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
        default: bytes.append(byte)
        }
    }
    return String(validating: bytes, as: UTF8.self)
}

private func hexValue(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
}
