import CCurl
import Foundation
import Synchronization

/// The thread that owns libcurl's handles, and the inbox through which others reach it.
final class CurlLoop: Sendable {
    private struct Inbox {
        var added: [CurlTransfer] = []
        var cancelled: [CurlTransfer] = []
        var isClosing = false
        /// The thread is past its last use of `multi`, so nobody may wake it any more.
        var hasEnded = false
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let inbox = Mutex(Inbox())
    /// Used by the thread only, except for `curl_multi_wakeup`, which any thread may call.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer?
    private let certificates: String?
    private let isRoomTaken = Mutex(false)

    init(certificates: String?) {
        _ = Self.libraryIsReady
        self.certificates = certificates
        multi = curl_multi_init()
        if let multi { _ = zb_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 32) }
    }

    /// libcurl wants this once per process, before any other thread uses it.
    static let libraryIsReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    func start() {
        let thread = Thread { [self] in run() }
        thread.name = "http"
        thread.start()
    }

    /// False when the loop takes no more transfers.
    func add(_ transfer: CurlTransfer) -> Bool {
        inbox.withLock { inbox in
            guard !inbox.isClosing else { return false }
            inbox.added.append(transfer)
            wake()
            return true
        }
    }

    func cancel(_ transfer: CurlTransfer) {
        inbox.withLock { inbox in
            guard !inbox.hasEnded else { return }
            inbox.cancelled.append(transfer)
            wake()
        }
    }

    /// Room for a large body, or nil while another has it: then the transfer that asks is resumed when there is some.
    func makeRoom() -> LargeBody? {
        let isMine = isRoomTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isMine else { return nil }
        return LargeBody { [self] in
            isRoomTaken.withLock { $0 = false }
            inbox.withLock { inbox in
                if !inbox.hasEnded { wake() }
            }
        }
    }

    func close() {
        inbox.withLock { inbox in
            inbox.isClosing = true
            if !inbox.hasEnded { wake() }
        }
    }

    func closeAndWait() async {
        await withCheckedContinuation { continuation in
            let hasEnded = inbox.withLock { inbox in
                inbox.isClosing = true
                if inbox.hasEnded { return true }
                inbox.waitingForEnd.append(continuation)
                wake()
                return false
            }
            if hasEnded { continuation.resume() }
        }
    }

    /// Call with the inbox locked: the thread ends `multi` only after it has said so under the same lock.
    private func wake() {
        if let multi { _ = curl_multi_wakeup(multi) }
    }

    // MARK: - On the thread

    private func run() {
        var active: [UnsafeMutableRawPointer: CurlTransfer] = [:]
        while let multi {
            let (added, cancelled, isClosing) = takeInbox()
            for transfer in added { start(transfer, in: multi, &active) }
            for transfer in cancelled { end(transfer, in: multi, &active, because: .cancelled) }
            if isClosing { break }
            resumeWaiting(active)
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            finishTransfers(in: multi, &active)
            // Bounded by libcurl's own timers; `wake` ends it at once.
            curl_multi_poll(multi, nil, 0, 60_000, nil)
        }
        end(&active)
    }

    private func takeInbox() -> (added: [CurlTransfer], cancelled: [CurlTransfer], isClosing: Bool) {
        inbox.withLock { inbox in
            defer {
                inbox.added = []
                inbox.cancelled = []
            }
            return (inbox.added, inbox.cancelled, inbox.isClosing || multi == nil)
        }
    }

    private func start(
        _ transfer: CurlTransfer, in multi: UnsafeMutableRawPointer,
        _ active: inout [UnsafeMutableRawPointer: CurlTransfer]
    ) {
        guard !transfer.isEndedEarly else {
            return transfer.finish(.failure(transfer.failure(.cancelled, .notSent)))
        }
        guard let handle = transfer.makeHandle(certificates: certificates) else { return }
        active[handle] = transfer
        guard curl_multi_add_handle(multi, handle) == CURLM_OK else {
            active[handle] = nil
            return transfer.finish(.failure(transfer.failure(.invalidRequest)))
        }
    }

    /// Of those that wait for room for a large body, the one that waits longest has its turn.
    private func resumeWaiting(_ active: [UnsafeMutableRawPointer: CurlTransfer]) {
        guard !isRoomTaken.withLock({ $0 }) else { return }
        let waiting = active.values.filter { $0.waitsForRoomSince != nil }
        waiting.min { ($0.waitsForRoomSince ?? .now) < ($1.waitsForRoomSince ?? .now) }?.resume()
    }

    private func finishTransfers(
        in multi: UnsafeMutableRawPointer, _ active: inout [UnsafeMutableRawPointer: CurlTransfer]
    ) {
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(multi, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            let code = zb_curl_message_result(message)
            guard let transfer = active[handle] else { continue }
            active[handle] = nil
            curl_multi_remove_handle(multi, handle)
            transfer.finish(transfer.result(code))
        }
    }

    private func end(
        _ transfer: CurlTransfer, in multi: UnsafeMutableRawPointer,
        _ active: inout [UnsafeMutableRawPointer: CurlTransfer], because code: HTTPError.Code
    ) {
        guard let handle = transfer.handle, active[handle] === transfer else {
            // Finished already, or its cancel overtook it on the way here.
            transfer.isEndedEarly = true
            return
        }
        let error = transfer.failure(code)
        active[handle] = nil
        curl_multi_remove_handle(multi, handle)
        transfer.finish(.failure(error))
    }

    private func end(_ active: inout [UnsafeMutableRawPointer: CurlTransfer]) {
        let (late, waiting) = inbox.withLock { inbox in
            inbox.isClosing = true
            inbox.hasEnded = true
            defer {
                inbox.added = []
                inbox.waitingForEnd = []
            }
            return (inbox.added, inbox.waitingForEnd)
        }
        for transfer in Array(active.values) {
            if let multi { end(transfer, in: multi, &active, because: .closed) }
        }
        for transfer in late { transfer.finish(.failure(transfer.failure(.closed))) }
        if let multi { curl_multi_cleanup(multi) }
        for continuation in waiting { continuation.resume() }
    }
}
