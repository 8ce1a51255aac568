/// Reads the files that a rules file includes, for the loader, which does no I/O itself.
package protocol RuleFileReader: Sendable {
    /// The paths of the files that match, in any order; of a plain pattern its own, whether there is such a file or not.
    func paths(matching pattern: FilePattern) throws(RuleFileReaderFailure) -> [String]

    /// A whole file, at most `RuleFile.maximumBytes` of it.
    func bytes(of path: String) throws(RuleFileReaderFailure) -> [UInt8]
}

package struct RuleFileReaderFailure: Error, Sendable {
    /// To be put behind the name of the file: `it is a folder`.
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
