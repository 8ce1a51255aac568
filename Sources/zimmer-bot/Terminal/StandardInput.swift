import Dispatch
import Glibc

/// What a person answers while a command runs: lines of standard input, from a terminal or a pipe.
enum StandardInput {
    /// The next line without its end; nil when there is none. What is beyond the limit is left out.
    static func line(atMost limit: Int = 16 << 10) async -> String? {
        await withCheckedContinuation { continuation in
            // A person takes minutes, and tasks have few threads.
            DispatchQueue.global().async { continuation.resume(returning: read(atMost: limit)) }
        }
    }

    /// Byte by byte: what follows the line is for whoever reads next.
    private static func read(atMost limit: Int) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        var isThere = false
        while true {
            let count = Glibc.read(0, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return isThere ? String(decoding: bytes, as: UTF8.self) : nil }
            isThere = true
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            if bytes.count < limit { bytes.append(byte) }
        }
    }
}
