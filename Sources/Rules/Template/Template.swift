package import CEL

/// Message text: Markdown by the rule's author with `{{ CEL }}` inside.
package struct Template: Sendable {
    package enum Part: Sendable {
        /// Markdown that the author wrote.
        case markup(String)
        case expression(Program)
    }

    package var parts: [Part]

    package init(parts: [Part]) {
        self.parts = parts
    }

    package var programs: [Program] {
        parts.compactMap { if case .expression(let program) = $0 { program } else { nil } }
    }
}
