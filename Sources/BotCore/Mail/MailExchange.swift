import AdapterKit
import CCurl
import Foundation
import Synchronization

/// One mail on its way, on a thread of its own.
///
/// Whoever waits and the thread meet in `phase` only.
final class MailExchange: Sendable {
    private enum Phase {
        case new
        case waiting(CheckedContinuation<Void, any Error>)
        case done
    }

    private let mail: Mail
    private let phase = Mutex(Phase.new)
    private nonisolated(unsafe) var sent = 0
    /// The latest line by which the server refused something; behind it may come its goodbye.
    private nonisolated(unsafe) var refusal: [UInt8] = []

    init(_ mail: Mail) {
        self.mail = mail
    }

    func start(for continuation: CheckedContinuation<Void, any Error>) {
        let isCancelled = phase.withLock { phase in
            if case .done = phase { return true }
            phase = .waiting(continuation)
            return false
        }
        if isCancelled { return continuation.resume(throwing: CancellationError()) }
        let thread = Thread { [self] in run() }
        thread.name = "mail"
        thread.start()
    }

    /// Whoever waits goes on at once; the thread ends within a second.
    func cancel() {
        finish(.failure(CancellationError()))
    }

    private func finish(_ result: Result<Void, any Error>) {
        let continuation = phase.withLock { phase -> CheckedContinuation<Void, any Error>? in
            defer { phase = .done }
            if case .waiting(let continuation) = phase { return continuation }
            return nil
        }
        continuation?.resume(with: result)
    }

    private var isDone: Bool {
        phase.withLock { phase in
            if case .done = phase { true } else { false }
        }
    }

    // MARK: - On the thread

    /// Says how it ended before it says goodbye to the server, which may be slow to answer that.
    private func run() {
        guard CurlLoop.libraryIsReady, let handle = curl_easy_init() else {
            return finish(.failure(MailFailure(.unreachable, "out of memory")))
        }
        defer { curl_easy_cleanup(handle) }
        var recipients: UnsafeMutablePointer<curl_slist>?
        for recipient in mail.recipients { recipients = curl_slist_append(recipients, "<\(recipient)>") ?? recipients }
        defer { curl_slist_free_all(recipients) }
        configure(handle)
        _ = zb_curl_set_list(handle, CURLOPT_MAIL_RCPT, recipients)
        let failure = failure(curl_easy_perform(handle), handle)
        finish(failure.map { .failure($0) } ?? .success(()))
    }

    private func configure(_ handle: UnsafeMutableRawPointer) {
        let server = mail.server
        _ = zb_curl_set_string(handle, CURLOPT_URL, server.url)
        _ = zb_curl_set_string(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        _ = zb_curl_set_string(handle, CURLOPT_PROXY, "")
        _ = zb_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        let encryption = server.isEncrypted ? CURLUSESSL_ALL : CURLUSESSL_NONE
        _ = zb_curl_set_long(handle, CURLOPT_USE_SSL, Int(encryption.rawValue))
        if let file = server.authorityFile { _ = zb_curl_set_string(handle, CURLOPT_CAINFO, file) }
        if let user = server.user { _ = zb_curl_set_string(handle, CURLOPT_USERNAME, user) }
        if let password = server.password { _ = zb_curl_set_string(handle, CURLOPT_PASSWORD, password.reveal()) }
        _ = zb_curl_set_string(handle, CURLOPT_MAIL_FROM, "<\(mail.sender)>")
        let seconds = min(max(mail.timeout / .seconds(1), 0.001), 86_400)
        _ = zb_curl_set_long(handle, CURLOPT_TIMEOUT_MS, Int(seconds * 1000))
        _ = zb_curl_set_long(handle, CURLOPT_SERVER_RESPONSE_TIMEOUT, Int(seconds.rounded(.up)))
        _ = zb_curl_set_long(handle, CURLOPT_UPLOAD, 1)

        let context = Unmanaged.passUnretained(self).toOpaque()  // the thread keeps the exchange until its end
        _ = zb_curl_set_pointer(handle, CURLOPT_READDATA, context)
        _ = zb_curl_set_callback(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
            MailExchange.from(context)?.give(bytes, size * count) ?? 0
        }
        // Asked once a second; anything but 0 ends it.
        _ = zb_curl_set_long(handle, CURLOPT_NOPROGRESS, 0)
        _ = zb_curl_set_pointer(handle, CURLOPT_XFERINFODATA, context)
        _ = zb_curl_set_progress(handle, CURLOPT_XFERINFOFUNCTION) { context, _, _, _, _ in
            MailExchange.from(context)?.isDone == false ? 0 : 1
        }
        // libcurl passes what an SMTP server answers as it passes headers.
        _ = zb_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        _ = zb_curl_set_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            MailExchange.from(context)?.receive(bytes, size * count)
            return size * count
        }
        _ = zb_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        _ = zb_curl_set_callback(handle, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> MailExchange? {
        context.map { Unmanaged<MailExchange>.fromOpaque($0).takeUnretainedValue() }
    }

    private func give(_ bytes: UnsafeMutablePointer<CChar>?, _ room: Int) -> Int {
        guard let bytes else { return 0 }
        let next = mail.content[sent...].prefix(room)
        UnsafeMutableRawBufferPointer(start: bytes, count: room).copyBytes(from: next)
        sent += next.count
        return next.count
    }

    private func receive(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) {
        let line = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : min(count, 500))
        if line.first == UInt8(ascii: "4") || line.first == UInt8(ascii: "5") { refusal = Array(line) }
    }

    // MARK: - Failures

    private func failure(_ code: CURLcode, _ handle: UnsafeMutableRawPointer) -> MailFailure? {
        if code == CURLE_OK { return nil }
        var status = 0
        _ = zb_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        let words = String(cString: curl_easy_strerror(code))
        let said = String(decoding: refusal, as: UTF8.self).printableLine.clipped(to: 200)
        let answer = said.isEmpty ? words : said.split(separator: " ").joined(separator: " ")
        switch code {
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: return MailFailure(.invalidMail, words)
        case CURLE_COULDNT_RESOLVE_HOST: return MailFailure(.unreachable, "the name is not known")
        case CURLE_COULDNT_CONNECT: return MailFailure(.unreachable, words)
        case CURLE_OPERATION_TIMEDOUT: return MailFailure(.timedOut, "no answer in time")
        case CURLE_USE_SSL_FAILED: return MailFailure(.untrusted, "the server does not encrypt")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
            return MailFailure(.untrusted, words)
        // A sign-in that is refused for now is answered 454.
        case CURLE_LOGIN_DENIED where !(400..<500).contains(status): return MailFailure(.refusedSignIn, answer)
        default: break
        }
        switch status {
        case 530, 534, 535, 538: return MailFailure(.refusedSignIn, answer)
        case 400..<600: return MailFailure(.answered(status), answer)
        default: return MailFailure(.interrupted, "the connection ended before the mail was taken")
        }
    }
}
