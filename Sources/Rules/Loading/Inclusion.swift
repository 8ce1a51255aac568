/// One of the files that rules are read from: the rules file itself, or one that it includes.
struct RuleFilePart {
    let report: DiagnosticCollector
    let fields: Fields
}

/// Opens the files that `include:` names.
struct Inclusion {
    /// Of every file that could be read, those among them that are no YAML included.
    private(set) var reports: [DiagnosticCollector] = []
    private(set) var parts: [RuleFilePart] = []
    private let main: DiagnosticCollector
    private var paths: Set<[UInt8]> = []

    private static let mostFiles = 100

    init(_ main: DiagnosticCollector) {
        self.main = main
        paths = [Array(main.source.file.utf8)]
    }

    /// - Parameter reader: nil where files cannot be read, as for a text that comes from nowhere.
    mutating func open(_ entry: YAMLEntry, _ reader: (any RuleFileReader)?) {
        for element in main.elements(entry) ?? [] {
            guard let text = main.word(element, "a path such as rules.d/*.yaml") else { continue }
            guard let reader else {
                main.error("'include' does nothing here: only a file can include others", at: element.value.range)
                return
            }
            do throws(FilePattern.Failure) {
                open(try FilePattern(parsing: text, in: FilePattern.folder(of: main.source.file)), element, reader)
            } catch {
                main.error("'include': \(error.reason)", at: element.value.range)
            }
        }
    }

    private mutating func open(_ pattern: FilePattern, _ element: YAMLEntry, _ reader: any RuleFileReader) {
        let range = element.value.range
        let found: [String]
        do throws(RuleFileReaderFailure) {
            found = try reader.paths(matching: pattern).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        } catch {
            main.error("the folder of '\(pattern.path(of: pattern.name))' cannot be read: \(error.reason)", at: range)
            return
        }
        if found.isEmpty { main.warning("no file matches '\(pattern.path(of: pattern.name))'", at: range) }
        for path in found {
            // Two patterns may match the same file, and one in this folder this file itself.
            guard paths.insert(Array(path.utf8)).inserted else {
                if pattern.isPlain { main.error("'\(path)' is read already", at: range) }
                continue
            }
            guard paths.count <= Self.mostFiles + 1 else {
                main.error("more than \(Self.mostFiles) files are included", at: range)
                return
            }
            do throws(RuleFileReaderFailure) {
                add(try reader.bytes(of: path), path)
            } catch {
                main.error("'\(path)' cannot be read: \(error.reason)", at: range)
            }
        }
    }

    private mutating func add(_ bytes: [UInt8], _ path: String) {
        let (report, root) = DiagnosticCollector.open(bytes, file: path, secretKeys: main.secretKeys)
        reports.append(report)
        guard let map = root?.map(as: "an included file", report) else { return }
        let own = map.filter { entry in
            guard Language.file.all.contains(entry.key), !Language.included.known.contains(entry.key) else {
                return true
            }
            report.hide(entry.value.range)
            report.error(
                entry.key == "include"
                    ? "an included file cannot include others"
                    : "'\(entry.key)' belongs in \(main.source.file), which includes this file: here are only "
                        + Language.included.known.joined(separator: " and "), at: entry.keyRange)
            return false
        }
        let rest = YAMLNode(.mapping(own), at: root?.range ?? 0..<0)
        if let fields = Fields(rest, of: "an included file", Language.included, hidesUnknown: true, report) {
            parts.append(RuleFilePart(report: report, fields: fields))
        }
    }
}
