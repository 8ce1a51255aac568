import CEL

/// Compiles the expressions of one rule, and says what is wrong with them where it was written.
struct ExpressionCompiler {
    /// A piece of a scalar's text that is an expression.
    struct Source {
        var text: String
        /// The file's bytes that a part of the text was written as.
        var place: (Range<Int>) -> Range<Int>
    }

    let report: DiagnosticCollector
    var environment: Environment
    var hints: ExpressionHints

    /// The expression that is the whole value of a key.
    func program(_ entry: YAMLEntry, accepts: [Type]? = nil, _ what: String = "") -> Program? {
        guard let scalar = report.scalar(entry, "an expression") else { return nil }
        let bytes = report.source.bytes
        let map = ScalarMap(scalar, at: entry.value.range, in: bytes)
        if let comment = swallowingComment(scalar, map, entry.value.range) {
            report.error(
                "'\(entry.key)': '//' makes a comment of all that follows here, because YAML joins these lines: "
                    + "use `|`, or leave the comment out", at: comment)
            return nil
        }
        let source = Source(text: scalar.text) { map[$0] }
        let trimmed = source.trimmed
        if scalar.text.utf8.count > 4, source.isBraced {
            report.error(
                "'\(entry.key)' takes an expression as it is, without '{{ }}'",
                at: map[trimmed.lowerBound..<(trimmed.lowerBound + 2)])
            return nil
        }
        if let comment = scalar.comment, !isValid(scalar.text) {
            report.error(
                "'\(entry.key)' ends before '\(report.source.text(comment.prefix(40)))', which YAML takes for a comment: "
                    + "use `|`", at: comment)
            return nil
        }
        return compile(source, field: entry.key, at: entry.value.range, accepts: accepts, what)
    }

    /// - Parameters:
    ///   - accepts: types that the value may have; a nullable one counts as what it is when it is there.
    ///   - what: those types in words.
    func compile(
        _ source: Source, field: String, at range: Range<Int>, accepts: [Type]?, _ what: String
    ) -> Program? {
        let hints = hints.find(in: source.text, environment)
        say(hints, of: source)
        if hints.contains(where: { $0.severity == .error }) { return nil }
        do throws(CompilationFailure) {
            let program = try environment.compile(source.text)
            say(program.warnings, of: source)
            if program.estimatedSteps > Program.defaultBudget {
                report.warning(
                    "this may take more steps than the \(Program.defaultBudget) after which an evaluation is given up: with "
                        + "long lists it cannot be told. Go through fewer lists inside of lists",
                    at: source.place(source.trimmed))
            }
            guard let accepts, !accepts.contains(program.resultType.whenPresent), program.resultType != .dyn else {
                return program
            }
            report.error(
                "'\(field)' takes \(what), but this is \(program.resultType.withArticle)",
                at: source.place(source.trimmed))
            return nil
        } catch {
            say(error.issues, of: source)
            return nil
        }
    }

    private func say(_ issues: [CompilationIssue], of source: Source) {
        for issue in issues {
            let place = source.place(issue.range)
            switch issue.severity {
            case .error: report.error(issue.message, at: place, suggestion: issue.suggestion)
            case .warning: report.warning(issue.message, at: place, suggestion: issue.suggestion)
            }
        }
    }

    private func isValid(_ text: String) -> Bool {
        (try? environment.compile(text)) != nil
    }

    /// A comment in an expression whose lines YAML joins, so that it would swallow the lines that follow.
    private func swallowingComment(_ scalar: YAMLScalar, _ map: ScalarMap, _ range: Range<Int>) -> Range<Int>? {
        guard scalar.style != .literal else { return nil }
        let text = Array(scalar.text.utf8)
        guard let comment = CELText(text).comment() else { return nil }
        let line = report.source.line(at: map[comment])
        let rest = text[comment...].indices.first { text[$0] > 0x20 && report.source.line(at: map[$0]) > line }
        return rest == nil ? nil : map[comment..<(comment + 2)]
    }
}

extension ExpressionCompiler.Source {
    /// Written as in a text, where no map of CEL's can be meant.
    var isBraced: Bool {
        let bytes = Array(text.utf8)[trimmed]
        return bytes.starts(with: "{{".utf8) && bytes.suffix(2).elementsEqual("}}".utf8)
    }

    /// The text without blanks around it.
    var trimmed: Range<Int> {
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { $0 > 0x20 }), let last = bytes.lastIndex(where: { $0 > 0x20 })
        else {
            return 0..<bytes.count
        }
        return first..<(last + 1)
    }
}

extension Type {
    var whenPresent: Type {
        if case .nullable(let type) = self { type } else { self }
    }
}
