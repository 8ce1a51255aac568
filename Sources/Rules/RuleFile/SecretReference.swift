/// Where a secret is kept. Nothing here reads it: the loader works without the environment that the bot will run in.
package struct SecretReference: Hashable, Sendable, CustomStringConvertible {
    package enum Source: Hashable, Sendable {
        case environment(String)
        /// Relative to the folder of the rules file.
        case file(String)
        /// A file in systemd's credentials directory.
        case credential(String)
    }

    package var source: Source
    package var position: SourcePosition

    package init(_ source: Source, position: SourcePosition) {
        self.source = source
        self.position = position
    }

    /// As it is written in the file.
    package var description: String {
        switch source {
        case .environment(let name): "{env: \(name)}"
        case .file(let path): "{file: \(path)}"
        case .credential(let name): "{credential: \(name)}"
        }
    }
}
