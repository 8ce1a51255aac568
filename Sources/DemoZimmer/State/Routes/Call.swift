/// A request that found its route: what the handlers read.
struct Call {
    let request: HTTPRequest
    /// The route's `:name` components.
    let arguments: [String: String]
    let body: JSON
    let credential: Credential

    enum Credential: Hashable {
        case apiKey
        case token(actsForPerson: Bool)
    }

    /// A parameter from the body, else from the query.
    func parameter(_ name: String) -> JSON? {
        body[name] ?? request.queryValue(name).map(JSON.string)
    }

    /// A text parameter that is not blank.
    func text(_ name: String) -> String? {
        guard let text = parameter(name)?.text, text.contains(where: { !$0.isWhitespace }) else { return nil }
        return text
    }

    /// Only what clearly says true.
    func flag(_ name: String) -> Bool {
        switch parameter(name) {
        case .bool(let flag): flag
        case .string(let text): text == "true" || text == "1"
        default: false
        }
    }

    func integer(_ name: String) -> Int? {
        switch parameter(name) {
        case .int(let number): number
        case .string(let text): Int(text)
        default: nil
        }
    }

    /// Where in a list the caller looks: out of range is clamped, no number becomes the minimum.
    var page: Page {
        func value(_ name: String, otherwise: Int) -> Int {
            request.queryValue(name).map { Int($0) ?? 1 } ?? otherwise
        }
        return Page(
            number: max(1, value("page", otherwise: 1)), size: min(100, max(1, value("per_page", otherwise: 25))))
    }
}

/// A stretch of a list.
struct Page {
    var number: Int
    var size: Int

    func slice<Element>(_ list: [Element]) -> ArraySlice<Element> {
        let (skipped, overflow) = (number - 1).multipliedReportingOverflow(by: size)
        return overflow ? [] : list.dropFirst(skipped).prefix(size)
    }

    func json(total: Int) -> JSON {
        [
            "page": .int(number), "per_page": .int(size), "total_count": .int(total),
            "total_pages": .int((total + size - 1) / size),
        ]
    }
}
