import Glibc
import Synchronization

/// Writes to an open file, pipe or terminal without a buffer of its own, so that nothing is lost or late when the process ends.
final class FileDescriptorSink: TextSink {
    private let descriptor: Int32
    /// Held while a text is written, which may take several system calls.
    private let turn = Mutex(())

    let isTerminal: Bool

    /// - Parameter descriptor: stays open, also when this is gone.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
    }

    func write(_ text: String) throws(OutputError) {
        var text = text
        let failure = turn.withLock { _ in text.withUTF8 { Self.write(UnsafeRawBufferPointer($0), to: descriptor) } }
        if let failure { throw failure }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> OutputError? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if written > 0 {
                rest = rest.dropFirst(written)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilWritable(descriptor)
            case EPIPE: return .readerIsGone
            default: return .failed(String(cString: strerror(errno)))
            }
        }
        return nil
    }

    /// Somebody else who has the same terminal or pipe open may have made it non-blocking.
    private static func waitUntilWritable(_ descriptor: Int32) {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&wanted, 1, -1)
    }
}
