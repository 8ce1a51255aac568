/// Gathers everything wrong with one file while it is read.
final class DiagnosticCollector {
    fileprivate struct Finding: Hashable {
        var severity: RuleDiagnostic.Severity
        var message: String
        var range: Range<Int>
        var suggestion: String?
    }

    /// Enough to work on; a file with more is probably not a rules file at all.
    private static let most = 200
    private static let longestLine = 160
    private static let longestMessage = 400

    let source: SourceText
    private var findings: [Finding] = []
    private var secrets: [Range<Int>] = []
    /// Names of keys that hold secrets. While the file's structure cannot be trusted, a line that has one of them is cut
    /// off after it.
    var secretKeys: Set<String> = []
    var isBroken = false
    /// Some of the file was left out to read the rest.
    var hasHoles = false

    init(_ source: SourceText) {
        self.source = source
    }

    func error(_ message: String, at range: Range<Int>, suggestion: String? = nil) {
        findings.append(Finding(severity: .error, message: message, range: range, suggestion: suggestion))
    }

    func warning(_ message: String, at range: Range<Int>, suggestion: String? = nil) {
        findings.append(Finding(severity: .warning, message: message, range: range, suggestion: suggestion))
    }

    /// Shows what is there as `<redacted>` from now on.
    func hide(_ range: Range<Int>) {
        if !range.isEmpty { secrets.append(range) }
    }

    var hasErrors: Bool { findings.contains { $0.severity == .error } }

    /// Everything found, in the order of the file.
    func finish() -> [RuleDiagnostic] {
        let ordered = findings.enumerated().sorted {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }.map(\.element).withoutRepeats
        var diagnostics = ordered.prefix(Self.most).map(diagnostic)
        if ordered.count > Self.most, let last = diagnostics.last {
            let rest = ordered.dropFirst(Self.most)
            let severity: RuleDiagnostic.Severity = rest.contains { $0.severity == .error } ? .error : .warning
            diagnostics.append(RuleDiagnostic(severity, "… and \(rest.count) more", at: last.position))
        }
        return diagnostics
    }

    private func diagnostic(_ finding: Finding) -> RuleDiagnostic {
        let line = source.range(ofLine: source.line(at: min(finding.range.lowerBound, source.bytes.count)))
        let shown = finding.range.clamped(to: line)
        let length = source.bytes[shown].scalarCount
        return RuleDiagnostic(
            finding.severity, finding.message.clipped(to: Self.longestMessage).onOneLine,
            at: source.position(at: finding.range.lowerBound),
            length: max(1, length),
            suggestion: finding.suggestion, excerpt: excerpt(of: line, around: shown))
    }

    // MARK: - The line shown

    private func excerpt(of line: Range<Int>, around marked: Range<Int>) -> RuleDiagnostic.Excerpt {
        var text = ""
        var caret: Int?
        var length = max(1, source.bytes[marked].scalarCount)
        var offset = line.lowerBound
        for secret in hiddenParts(of: line) + [line.upperBound..<line.upperBound] {
            if caret == nil, marked.lowerBound < secret.lowerBound || secret.isEmpty {
                caret = text.unicodeScalars.count + source.bytes[offset..<max(offset, marked.lowerBound)].scalarCount
            }
            text += source.text(offset..<secret.lowerBound)
            if secret.isEmpty { break }
            if caret == nil, marked.lowerBound < secret.upperBound {
                caret = text.unicodeScalars.count
                length = Self.redacted.count
            }
            text += Self.redacted
            offset = secret.upperBound
        }
        return .init(line: text, caret: caret ?? 0, length: length).clipped(to: Self.longestLine)
    }

    private static let redacted = "<redacted>"

    /// What of a line is not shown: in order, without overlaps.
    private func hiddenParts(of line: Range<Int>) -> [Range<Int>] {
        var parts = secrets.map { $0.clamped(to: line) }.filter { !$0.isEmpty }
        if isBroken, let start = startOfSuspect(in: line) { parts.append(start..<line.upperBound) }
        parts.sort { $0.lowerBound < $1.lowerBound }
        return parts.reduce(into: []) { merged, part in
            if let last = merged.last, part.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, part.upperBound)
            } else {
                merged.append(part)
            }
        }
    }

    /// Where a value begins that stands behind the name of a secret.
    private func startOfSuspect(in line: Range<Int>) -> Int? {
        let text = source.bytes[line]
        for colon in text.indices where text[colon] == UInt8(ascii: ":") {
            let name = text[..<colon].reversed().drop { $0 == 0x20 || $0 == 0x22 || $0 == 0x27 }
                .prefix { $0 == 0x5F || $0 == 0x2D || UnicodeScalar($0).properties.isAlphabetic }
            let key = String(decoding: name.reversed(), as: UTF8.self)
            guard secretKeys.contains(key) || key.namesCredential else { continue }
            let value = text[(colon + 1)...].drop { $0 == 0x20 }
            if let first = value.first, first != UInt8(ascii: "{") { return value.startIndex }
        }
        return nil
    }
}

extension [DiagnosticCollector.Finding] {
    /// What is wrong behind an alias is found wherever the alias stands.
    fileprivate var withoutRepeats: [DiagnosticCollector.Finding] {
        var seen: Set<DiagnosticCollector.Finding> = []
        return filter { seen.insert($0).inserted }
    }
}

extension String {
    fileprivate func clipped(to length: Int) -> String {
        utf8.count > length && count > length ? prefix(length - 1) + "…" : self
    }
}

extension RuleDiagnostic.Excerpt {
    /// The part around the caret of a line that is too long to show.
    fileprivate func clipped(to length: Int) -> Self {
        let scalars = Array(line.unicodeScalars)
        guard scalars.count > length else { return self }
        let start = min(max(0, caret - length / 2), max(0, scalars.count - length))
        let end = min(scalars.count, start + length)
        let part = String(String.UnicodeScalarView(scalars[start..<end]))
        let before = start > 0 ? "…" : ""
        return Self(
            line: before + part + (end < scalars.count ? "…" : ""), caret: caret - start + before.count,
            length: min(self.length, max(1, end - caret)))
    }
}
