import AdapterKit
import CCurl
import Foundation
import Synchronization

/// A connection and the thread that owns it. The thread ends with `close`; until then it keeps the connection.
final class CurlConnection: Sendable {
    let inbox = Mutex(StreamInbox())
    /// Used by the thread only.
    nonisolated(unsafe) let easy: CurlEndpoint
    /// Used by the thread only, except for `curl_multi_wakeup`, which any thread may call.
    nonisolated(unsafe) let multi: UnsafeMutableRawPointer

    /// Begins to connect.
    ///
    /// - Throws: `invalidEndpoint`.
    init(_ endpoint: ByteStreamEndpoint) throws(ByteStreamFailure) {
        easy = try CurlEndpoint(endpoint)
        guard let multi = curl_multi_init() else {
            throw ByteStreamFailure(.unreachable, "there is no memory for a connection")
        }
        self.multi = multi
        let thread = Thread { [self] in run() }
        thread.name = "stream"
        thread.start()
    }

    /// Returns when connected.
    func connect() async throws {
        try await ask { inbox, answer in
            inbox.connect = answer
        } takeBack: { inbox in
            inbox.isClosing = true
            return inbox.connect.take()
        }
    }

    func read(atMost count: Int) async throws -> [UInt8] {
        let id = inbox.withLock { $0.newID() }
        return try await ask { inbox, answer in
            inbox.read = StreamInbox.Read(id: id, count: min(max(count, 1), 1 << 16), answer: answer)
        } takeBack: { inbox in
            inbox.read?.id == id ? inbox.read.take()?.answer : nil
        }
    }

    func write(_ bytes: [UInt8], timeout: Duration) async throws {
        guard !bytes.isEmpty else { return }
        let id = inbox.withLock { $0.newID() }
        let deadline = ContinuousClock.now + timeout
        try await ask { inbox, answer in
            inbox.write = StreamInbox.Write(id: id, bytes: StreamBytes(bytes), deadline: deadline, answer: answer)
        } takeBack: { inbox in
            guard inbox.write?.id == id else { return nil }
            // A part may be out.
            inbox.isClosing = true
            return inbox.write.take()?.answer
        }
    }

    func close() {
        inbox.withLock { inbox in
            inbox.isClosing = true
            wake(inbox)
        }
    }

    /// Puts a question into the inbox and waits for the answer.
    ///
    /// - Parameter takeBack: takes it out again when the task is cancelled; nil where it was answered already.
    private func ask<Success>(
        _ put: (inout StreamInbox, StreamInbox.Answer<Success>) -> Void,
        takeBack: @escaping @Sendable (inout StreamInbox) -> StreamInbox.Answer<Success>?
    ) async throws -> Success {
        let result: Result<Success, any Error> = await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                let refusal: (any Error)? = inbox.withLock { inbox in
                    // Asked under the lock: a cancellation after this finds the question.
                    if Task.isCancelled { return CancellationError() }
                    if let refusal = inbox.refusal { return refusal }
                    put(&inbox, answer)
                    wake(inbox)
                    return nil
                }
                if let refusal { answer.resume(returning: .failure(refusal)) }
            }
        } onCancel: {
            let answer = inbox.withLock { inbox in
                defer { wake(inbox) }
                return takeBack(&inbox)
            }
            answer?.resume(returning: .failure(CancellationError()))
        }
        return try result.get()
    }

    /// Call with the inbox locked: the thread lets `multi` go only after it has said so under the same lock.
    private func wake(_ inbox: borrowing StreamInbox) {
        if !inbox.hasEnded { _ = curl_multi_wakeup(multi) }
    }
}
