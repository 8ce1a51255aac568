/// A word of `include:`: the path of a file, or of all files in a folder whose names match.
package struct FilePattern: Hashable, Sendable {
    struct Failure: Error {
        let reason: String
    }

    /// Empty for the current one, else without a slash at its end (unless it is the root).
    package let folder: String
    /// Of a file in it, with `*` and `?`.
    package let name: String

    private static let longestName = 255

    /// - Parameter folder: what a relative path begins at.
    init(parsing text: String, in folder: String) throws(Failure) {
        let slash = text.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { String(text[text.utf8.index(after: $0)...]) } ?? text
        let parent = slash.map { $0 == text.startIndex ? "/" : String(text[..<$0]) } ?? ""
        guard !name.isEmpty else { throw Failure(reason: "a folder is included by its files: \(text)*.yaml") }
        guard !parent.contains(where: Self.isWildcard) else {
            throw Failure(reason: "'*' and '?' stand for parts of a file's name, not of a folder's")
        }
        guard !name.contains("**") else { throw Failure(reason: "'**' is not supported: name each folder") }
        guard name.utf8.count <= Self.longestName else { throw Failure(reason: "no file has a name as long as this") }
        self.name = name
        self.folder = parent.hasPrefix("/") ? parent : FilePattern.path(of: parent, in: folder)
    }

    package var isPlain: Bool { !name.contains(where: Self.isWildcard) }

    /// The path of a file in the folder.
    package func path(of name: String) -> String { Self.path(of: name, in: folder) }

    /// `*` is any characters, `?` any one; a name that begins with a dot is hidden from both.
    ///
    /// - Complexity: O(*n* × *m*) in the lengths of pattern and name.
    package func matches(_ candidate: String) -> Bool {
        if candidate.hasPrefix("."), !name.hasPrefix(".") { return false }
        let pattern = Array(name.unicodeScalars)
        let text = Array(candidate.unicodeScalars)
        var (at, position) = (0, 0)
        // Where to go on when it does not fit: behind the last star, which then takes one character more.
        var retry: (at: Int, position: Int)?
        while position < text.count {
            if at < pattern.count, pattern[at] == "*" {
                retry = (at + 1, position)
                at += 1
            } else if at < pattern.count, pattern[at] == "?" || pattern[at] == text[position] {
                at += 1
                position += 1
            } else if let last = retry {
                (at, position) = (last.at, last.position + 1)
                retry?.position += 1
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == "*" }
    }

    /// The folder that a file lies in.
    static func folder(of file: String) -> String {
        guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }

    private static func path(of name: String, in folder: String) -> String {
        if name.isEmpty || folder.isEmpty { return folder + name }
        return folder == "/" ? "/" + name : folder + "/" + name
    }

    private static func isWildcard(_ character: Character) -> Bool { character == "*" || character == "?" }
}
