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

    /// Fills in the values for a message: whatever they are, there is something to send.
    package func render(_ activation: Activation) -> RenderedText {
        RenderedText()
    }

    /// Fills in the values for a write: null or an error in any of them is an error of the whole.
    package func text(_ activation: Activation) throws(EvaluationError) -> String {
        ""
    }
}
