import Glibc

/// The right to write to a state directory, held by one process at a time.
///
/// A lock of the kernel on a file that stays: it goes with the process, `kill -9` included, and is not inherited by programs
/// the process starts. The file's text, who holds it, is for people and decides nothing.
package final class StoreLock: Sendable {
    private let directory: String
    private let path: String
    private let descriptor: Int32

    package init(_ directory: StateDirectory) throws(StoreLockError) {
        let path = directory.lockPath
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .failed(path: path, reason: SystemError.current.description) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let failure = SystemError.current
            defer { close(descriptor) }
            guard failure.code == EWOULDBLOCK else { throw .failed(path: path, reason: failure.description) }
            throw .held(directory: directory.path, by: Self.readHolder(from: descriptor))
        }
        self.directory = directory.path
        self.path = path
        self.descriptor = descriptor
        Self.writeHolder(to: descriptor)
    }

    deinit {
        close(descriptor)
    }

    /// - Throws: `gone` when the file is no longer there: what is written down now is lost, and a second process could have
    ///   the same right.
    package func verify() throws(StoreLockError) {
        var held = stat()
        var there = stat()
        guard fstat(descriptor, &held) == 0 else { return }
        guard stat(path, &there) != 0 else {
            if held.st_ino != there.st_ino || held.st_dev != there.st_dev { throw .gone(directory: directory) }
            return
        }
        if errno == ENOENT { throw .gone(directory: directory) }
    }

    private static func writeHolder(to descriptor: Int32) {
        let text = "process \(getpid()) on \(hostName())\n"
        ftruncate(descriptor, 0)
        // A full disk costs the next process the name, not the lock.
        _ = text.utf8.withContiguousStorageIfAvailable { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// The first line as plain ASCII, nil where the holder has not written it yet.
    private static func readHolder(from descriptor: Int32) -> String? {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        let line = buffer[..<count].prefix { (0x20...0x7E).contains($0) }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    private static func hostName() -> String {
        var system = utsname()
        guard uname(&system) == 0 else { return "this host" }
        return withUnsafeBytes(of: system.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// Why this process may not write to a state directory.
package enum StoreLockError: Error, Hashable, Sendable, CustomStringConvertible {
    case held(directory: String, by: String?)
    case failed(path: String, reason: String)
    case gone(directory: String)

    package var description: String {
        switch self {
        case .held(let directory, let holder):
            "\(directory) is in use by \(holder ?? "another process"); stop that one, or name another with --state DIR"
        case .failed(let path, let reason):
            "cannot lock \(path): \(reason); check that the directory is yours and on a local disk"
        case .gone(let directory):
            "\(directory) was removed or replaced while the bot ran; put it back, or start over without it"
        }
    }
}
