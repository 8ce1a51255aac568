import Glibc

/// Reads what a command line names.
enum InputFile {
    /// Why a file cannot be read, to be put behind its name.
    struct Failure: Error, Sendable {
        let reason: String
    }

    /// The whole file; `-` is standard input.
    ///
    /// - Parameter limit: in bytes. A longer file, or one without an end, is refused and not read further.
    static func read(_ path: String, atMost limit: Int) throws(Failure) -> [UInt8] {
        let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw lastFailure() }
        defer { if path != "-" { close(descriptor) } }
        return try read(descriptor, atMost: limit)
    }

    /// The same for what has to be a regular file, as opposed to a folder, a device, or a pipe for whose other end one
    /// would wait.
    static func readRegular(_ path: String, atMost limit: Int) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw lastFailure() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw lastFailure() }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(reason: status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "it is no regular file")
        }
        return try read(descriptor, atMost: limit)
    }

    private static func read(_ descriptor: CInt, atMost limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw lastFailure() }
            bytes += buffer[..<count]
            guard bytes.count <= limit else { throw Failure(reason: "it is larger than \(limit >> 20) MiB") }
        }
    }

    private static func lastFailure() -> Failure {
        Failure(reason: String(cString: strerror(errno)))
    }
}
