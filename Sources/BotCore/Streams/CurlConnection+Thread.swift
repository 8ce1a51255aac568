import AdapterKit
import CCurl
import Synchronization

/// What happens on a connection's own thread.
extension CurlConnection {
    /// What one look at the connection came to.
    private enum Step: Equatable {
        case moved
        /// Nothing to do before the socket is ready for these events, or the time is over.
        case wait(events: Int32, milliseconds: Int32)
        case ended(ByteStreamFailure)
    }

    func run() {
        var failure = ByteStreamFailure(.closed, "the connection is closed")
        if let refused = establish() {
            failure = refused
        } else {
            var progress = WriteProgress()
            serving: while true {
                switch step(&progress) {
                case .moved: continue
                case .wait(let events, let milliseconds):
                    progress.wasWritable = poll(events, milliseconds) & CURL_WAIT_POLLOUT != 0
                case .ended(let reason):
                    failure = reason
                    break serving
                }
            }
        }
        end(failure)
    }

    /// Connects; nil when that was done.
    private func establish() -> ByteStreamFailure? {
        guard curl_multi_add_handle(multi, easy.handle) == CURLM_OK else { return easy.failure(CURLE_FAILED_INIT) }
        while true {
            if let refusal = inbox.withLock({ $0.refusal }) { return refusal }
            var running: Int32 = 0
            var remaining: Int32 = 0
            curl_multi_perform(multi, &running)
            if let message = curl_multi_info_read(multi, &remaining), message.pointee.msg == CURLMSG_DONE {
                let result = zb_curl_message_result(message)
                return result == CURLE_OK ? nil : easy.failure(result)
            }
            // Bounded by libcurl's own timers; `wake` ends it at once.
            curl_multi_poll(multi, nil, 0, 60_000, nil)
        }
    }

    /// Waits for the socket or a wake; returns what the socket is ready for.
    private func poll(_ events: Int32, _ milliseconds: Int32) -> Int32 {
        // Without events the socket is left out: a peer that hung up would end the wait again and again.
        let count: UInt32 = events == 0 ? 0 : 1
        var socket = curl_waitfd(fd: easy.socket, events: Int16(events), revents: 0)
        curl_multi_poll(multi, &socket, count, milliseconds, nil)
        return Int32(socket.revents)
    }

    // MARK: - Reading and writing

    /// How far the write with this id has come.
    private struct WriteProgress {
        var id = 0
        var sent = 0
        /// The last wait ended because the socket takes bytes.
        var wasWritable = false
    }

    private func step(_ progress: inout WriteProgress) -> Step {
        let (refusal, connect, read, write) = inbox.withLock { inbox in
            (inbox.refusal, inbox.refusal == nil ? inbox.connect.take() : nil, inbox.read, inbox.write)
        }
        if let refusal { return .ended(refusal) }
        connect?.resume(returning: .success(()))
        let reading = read.map(receive)
        if case .ended = reading { return reading ?? .moved }
        let writing = write.map { send($0, &progress) }
        switch (reading, writing) {
        case (.moved, _), (_, .moved): return .moved
        case (_, .ended): return writing ?? .moved
        case (.wait(let events, _), .wait(let others, let milliseconds)):
            return .wait(events: events | others, milliseconds: milliseconds)
        default: return reading ?? writing ?? .wait(events: 0, milliseconds: 60_000)
        }
    }

    /// Tries before it waits: TLS may hold bytes that the socket no longer shows.
    private func receive(_ read: StreamInbox.Read) -> Step {
        let answered = inbox.withLock { $0.answerFromUnread(read) }
        if let (answer, bytes) = answered {
            answer.resume(returning: .success(bytes))
            return .moved
        }
        var result = CURLE_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: read.count) { buffer, count in
            result = curl_easy_recv(easy.handle, buffer.baseAddress, buffer.count, &count)
            if result != CURLE_OK { count = 0 }
        }
        switch result {
        case CURLE_OK:
            let answer = inbox.withLock { inbox -> StreamInbox.Answer<[UInt8]>? in
                if inbox.read?.id == read.id { return inbox.read.take()?.answer }
                // Taken back in between: for the next to ask.
                inbox.unread += bytes
                return nil
            }
            answer?.resume(returning: .success(bytes))
            return .moved
        case CURLE_AGAIN: return .wait(events: CURL_WAIT_POLLIN, milliseconds: 60_000)
        default: return .ended(easy.failure(result))
        }
    }

    private func send(_ write: StreamInbox.Write, _ progress: inout WriteProgress) -> Step {
        if progress.id != write.id { progress = WriteProgress(id: write.id) }
        defer { progress.wasWritable = false }
        let left = write.deadline - .now
        guard left > .zero else { return .ended(ByteStreamFailure(.timedOut, "the other side takes nothing")) }
        let rest = write.bytes.rest(from: progress.sent)
        var count = 0
        let result = curl_easy_send(easy.handle, rest.baseAddress, rest.count, &count)
        switch result {
        case CURLE_OK:
            progress.sent += count
            if progress.sent == write.bytes.count { finish(write) }
            return .moved
        case CURLE_AGAIN:
            // Writable, and still nothing goes: TLS waits for the other side, which must not become a busy loop.
            if progress.wasWritable { return .wait(events: CURL_WAIT_POLLIN, milliseconds: 50) }
            return .wait(events: CURL_WAIT_POLLOUT, milliseconds: Int32(min(left.wholeMilliseconds, 60_000)))
        default: return .ended(easy.failure(result))
        }
    }

    private func finish(_ write: StreamInbox.Write) {
        let answer = inbox.withLock { $0.write?.id == write.id ? $0.write.take()?.answer : nil }
        answer?.resume(returning: .success(()))
    }

    // MARK: - The end

    private func end(_ failure: ByteStreamFailure) {
        let (connect, read, write) = inbox.withLock { inbox in
            inbox.hasEnded = true
            inbox.ending = failure
            return (inbox.connect.take(), inbox.read.take(), inbox.write.take())
        }
        // Closes the connection.
        curl_multi_remove_handle(multi, easy.handle)
        curl_multi_cleanup(multi)
        connect?.resume(returning: .failure(failure))
        read?.answer.resume(returning: .failure(failure))
        write?.answer.resume(returning: .failure(failure))
    }
}
