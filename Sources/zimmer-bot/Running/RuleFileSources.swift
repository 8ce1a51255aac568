import Glibc
import Rules
import Synchronization

/// The files that a rules file is made of: reads them, and remembers which they were, so that a change of any is seen.
final class RuleFileSources: RuleFileReader {
    /// All of them at one moment.
    struct Stamp: Hashable {
        var file: FileStamp
        /// What the patterns of `include` led to; nil for what is missing, or no file.
        var included: [String: FileStamp?]
    }

    private struct Seen {
        var file: FileStamp?
        var included: [String: FileStamp?] = [:]
        var patterns: [FilePattern] = []
    }

    let path: String
    private let seen: Mutex<Seen>

    private static let mostNames = 10_000

    init(_ path: String) {
        self.path = path
        seen = Mutex(Seen())
    }

    /// As they were when they were read; nil when there was no rules file.
    var stampWhenRead: Stamp? {
        seen.withLock { seen in seen.file.map { Stamp(file: $0, included: seen.included) } }
    }

    /// As they are now; nil when there is no rules file.
    var stamp: Stamp? {
        guard let file = FileStamp(path: path) else { return nil }
        let paths = seen.withLock(\.patterns).flatMap { pattern in (try? list(pattern)) ?? [] }
        return Stamp(file: file, included: Self.stamps(of: paths))
    }

    /// The rules file itself.
    func bytes() throws(InputFile.Failure) -> [UInt8] {
        let stamp = FileStamp(path: path)
        seen.withLock { $0.file = stamp }
        return try InputFile.read(path, atMost: RuleFile.maximumBytes)
    }

    func paths(matching pattern: FilePattern) throws(RuleFileReaderFailure) -> [String] {
        // Before anything can fail: what is missing now may be there later.
        seen.withLock { $0.patterns.append(pattern) }
        let paths = try list(pattern)
        // Before they are read: a file that changes meanwhile is then seen to have changed.
        let stamps = Self.stamps(of: paths)
        seen.withLock { $0.included.merge(stamps) { first, _ in first } }
        return paths
    }

    func bytes(of path: String) throws(RuleFileReaderFailure) -> [UInt8] {
        do throws(InputFile.Failure) {
            return try InputFile.readRegular(path, atMost: RuleFile.maximumBytes)
        } catch {
            throw RuleFileReaderFailure(reason: error.reason)
        }
    }

    private static func stamps(of paths: [String]) -> [String: FileStamp?] {
        Dictionary(paths.map { ($0, FileStamp(path: $0)) }, uniquingKeysWith: { first, _ in first })
    }

    private func list(_ pattern: FilePattern) throws(RuleFileReaderFailure) -> [String] {
        if pattern.isPlain { return [pattern.path(of: pattern.name)] }
        guard let folder = opendir(pattern.folder.isEmpty ? "." : pattern.folder) else {
            // A folder that is not there has no file that matches.
            if errno == ENOENT { return [] }
            throw RuleFileReaderFailure(reason: String(cString: strerror(errno)))
        }
        defer { closedir(folder) }
        var names: [String] = []
        var count = 0
        while let entry = readdir(folder) {
            count += 1
            guard count <= Self.mostNames else {
                throw RuleFileReaderFailure(reason: "it has more than \(Self.mostNames) files")
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != "..", pattern.matches(name) { names.append(name) }
        }
        return names.map(pattern.path)
    }
}
