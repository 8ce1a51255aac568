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

    /// The text for a value that Zimmer gets (a prompt, a note): what the author wrote and the values as they are, line
    /// breaks included.
    ///
    /// - Throws: the error of an expression; `absent` for one that is null. Half a text is never written.
    package func text(_ activation: Activation) throws(EvaluationError) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .markup(let markup): text += markup
            case .expression(let program):
                let value = program.evaluate(activation)
                if case .error(let error) = value { throw error }
                guard !value.isNothing else {
                    throw EvaluationError(.absent, "'{{ \(program.source) }}' is null")
                }
                text += value.printed
            }
        }
        return text.trimmed
    }

    /// The message as it goes to channels. An expression without a value never holds it up.
    package func render(_ activation: Activation) -> RenderedText {
        var renderer = TemplateRenderer()
        for part in parts {
            switch part {
            case .markup(let markup): renderer.append(markup)
            case .expression(let program): renderer.append(program.evaluate(activation), of: program)
            }
        }
        return renderer.finish()
    }
}
