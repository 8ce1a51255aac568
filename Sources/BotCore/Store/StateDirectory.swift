import Glibc

/// The directory that holds everything the bot remembers: the store, its lock, and a sign-in.
package struct StateDirectory: Hashable, Sendable {
    package let path: String

    package var databasePath: String { path + "/zimmer-bot.sqlite" }
    package var lockPath: String { path + "/zimmer-bot.lock" }
    package var signInPath: String { path + "/sign-in.json" }

    package init(_ path: String) {
        self.path = path
    }

    /// The directory named by `--state`, else by `$STATE_DIRECTORY` (set by systemd), else the one of the XDG base directory
    /// specification: `$XDG_STATE_HOME/zimmer-bot`, `~/.local/state/zimmer-bot`. Touches no disk.
    package static func resolve(
        option: String?, environment: [String: String]
    ) throws(StateDirectoryError) -> StateDirectory {
        func variable(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        if let option {
            guard !option.isEmpty else { throw .unknown("--state is empty; name a directory") }
            return StateDirectory(option)
        }
        // systemd lists several directories, separated by colons, where a unit asks for several.
        if let first = variable("STATE_DIRECTORY")?.split(separator: ":").first {
            return StateDirectory(String(first))
        }
        // The specification has relative paths ignored.
        if let home = variable("XDG_STATE_HOME"), home.hasPrefix("/") {
            return StateDirectory(home + "/zimmer-bot")
        }
        guard let home = variable("HOME") else {
            throw .unknown("cannot tell where to keep state: neither HOME nor STATE_DIRECTORY is set; use --state DIR")
        }
        return StateDirectory(home + "/.local/state/zimmer-bot")
    }

    /// Makes the directory, and what is missing above it, for the owner only (mode 0700). One that exists is left as it is.
    package func create() throws(StateDirectoryError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/") {
            made += component + "/"
            guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            let failure = SystemError.current
            // A directory that is there may still answer "read-only" or "not permitted" instead of "exists".
            guard !Self.isDirectory(made) else { continue }
            let parent = made.dropLast() == path ? "" : "\(made.dropLast()): "
            throw .cannotCreate("cannot create the state directory \(path): \(parent)\(failure); use --state DIR")
        }
        guard Self.isDirectory(path) else {
            throw .cannotCreate("the state directory \(path) is not a directory; remove it or use --state DIR")
        }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

/// Why there is no state directory; the text says what to do.
package enum StateDirectoryError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknown(String)
    case cannotCreate(String)

    package var description: String {
        switch self {
        case .unknown(let text), .cannotCreate(let text): text
        }
    }
}
