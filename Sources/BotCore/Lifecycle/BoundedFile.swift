import Glibc

/// A file that the rules file names: small, and there at once. A path to something else by mistake is not.
enum BoundedFile {
    enum Fault: Error, Hashable {
        case unreadable(SystemError)
        case tooLong
    }

    /// - Parameter limit: more bytes are refused.
    static func read(_ path: String, atMost limit: Int) throws(Fault) -> [UInt8] {
        // A pipe that nobody writes to would be waited for without end, at each reload too.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(.current) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(.current) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw .tooLong }
        }
    }
}
