import AdapterKit

/// What is asked of a connection's thread: at most one thing of each kind at a time.
struct StreamInbox {
    typealias Answer<Success> = CheckedContinuation<Result<Success, any Error>, Never>

    struct Read {
        var id: Int
        var count: Int
        var answer: Answer<[UInt8]>
    }

    struct Write {
        var id: Int
        var bytes: StreamBytes
        var deadline: ContinuousClock.Instant
        var answer: Answer<Void>
    }

    var connect: Answer<Void>?
    var read: Read?
    var write: Write?
    var isClosing = false
    /// The thread is past its last use of libcurl's handles: nobody may wake it any more.
    var hasEnded = false
    /// Why it ended.
    var ending: ByteStreamFailure?
    /// What arrived for a read that was taken back.
    var unread: [UInt8] = []
    private var lastID = 0

    /// Why nothing can be asked any more.
    var refusal: ByteStreamFailure? {
        isClosing ? ByteStreamFailure(.closed, "the connection is closed") : ending
    }

    /// Takes a read's answer from what is there already.
    mutating func answerFromUnread(_ read: Read) -> (Answer<[UInt8]>, [UInt8])? {
        guard !unread.isEmpty, self.read?.id == read.id else { return nil }
        let bytes = Array(unread.prefix(read.count))
        unread.removeFirst(bytes.count)
        self.read = nil
        return (read.answer, bytes)
    }

    mutating func newID() -> Int {
        lastID += 1
        return lastID
    }
}

/// Bytes on their way out. They stay where they are: OpenSSL wants a write repeated from the same address.
final class StreamBytes: Sendable {
    private nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

    init(_ array: [UInt8]) {
        bytes = .allocate(byteCount: array.count, alignment: 1)
        bytes.copyBytes(from: array)
    }

    deinit {
        bytes.deallocate()
    }

    var count: Int { bytes.count }

    func rest(from offset: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[offset...])
    }
}
