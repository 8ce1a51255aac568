import Glibc

/// The file that a sign-in is kept in: for its owner alone, and always whole, whenever the power fails.
///
/// Its reader and writer is the process that holds the state directory's lock, so there is only one.
package struct SignInStore: Sendable {
    package let path: String
    private let directory: String

    private static let longest = 64 << 10

    package init(_ directory: StateDirectory) {
        self.directory = directory.path
        path = directory.signInPath
    }

    /// Nil when nobody is signed in.
    package func load() throws(SignInStoreError) -> SignInRecord? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            let failure = SystemError.current
            if failure.code == ENOENT { return nil }
            throw .cannot("read", path, failure.description)
        }
        defer { close(descriptor) }
        try check(descriptor)
        let bytes = try read(descriptor)
        guard let document = try? JSONDocument(bytes), let record = SignInRecord(document.root) else {
            throw .damaged(path)
        }
        return record
    }

    /// Returns when it is on the disk and will still be there after a power cut.
    package func save(_ record: SignInRecord) throws(SignInStoreError) {
        let fresh = path + ".new"
        unlink(fresh)
        let descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .cannot("write", fresh, SystemError.current.description) }
        do throws(SystemError) {
            defer { close(descriptor) }
            try Self.write(record.json.bytes, to: descriptor)
            try Self.check(fsync(descriptor))
        } catch {
            unlink(fresh)
            throw .cannot("write", fresh, error.description)
        }
        guard rename(fresh, path) == 0 else { throw .cannot("write", path, SystemError.current.description) }
        try settle()
    }

    /// Leaves nothing of a sign-in behind.
    package func remove() throws(SignInStoreError) {
        for path in [path, path + ".new"] where unlink(path) != 0 && errno != ENOENT {
            throw .cannot("remove", path, SystemError.current.description)
        }
        try settle()
    }

    /// A file's name is on the disk only when its folder is.
    private func settle() throws(SignInStoreError) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannot("write", directory, SystemError.current.description) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .cannot("write", directory, SystemError.current.description) }
    }

    /// Whoever can read it can act as the person.
    private func check(_ descriptor: Int32) throws(SignInStoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .cannot("read", path, SystemError.current.description) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .damaged(path) }
        guard status.st_uid == geteuid() else { throw .exposed(path, "belongs to another user") }
        guard status.st_mode & 0o077 == 0 else { throw .exposed(path, "can be read by others") }
    }

    private func read(_ descriptor: Int32) throws(SignInStoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: Self.longest + 1)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .cannot("read", path, SystemError.current.description) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= Self.longest else { throw .damaged(path) }
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError.current }
            rest = rest.dropFirst(count)
        }
    }

    private static func check(_ result: Int32) throws(SystemError) {
        guard result == 0 else { throw SystemError.current }
    }
}

/// Why the file of a sign-in cannot be used; the text says what to do.
package enum SignInStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case cannot(_ what: String, _ path: String, _ reason: String)
    case damaged(_ path: String)
    case exposed(_ path: String, _ how: String)

    package var description: String { "\(problem); \(remedy)" }

    var problem: String {
        switch self {
        case .cannot(let what, let path, let reason): "cannot \(what) \(path): \(reason)"
        case .damaged(let path): "\(path) is damaged"
        case .exposed(let path, let how):
            "\(path) \(how), and whoever reads it can act as the person who signed in"
        }
    }

    var remedy: String {
        switch self {
        case .cannot: "look at the disk and at whose the state directory is"
        case .damaged: "move it away and sign in again with 'zimmer-bot login'"
        case .exposed:
            "end that sign-in in Zimmer's Settings, remove the file, and sign in again with 'zimmer-bot login'"
        }
    }
}
