package import AdapterKit

/// Mail over libcurl: each mail has a connection and a thread of its own, as they are few; callers wait without blocking
/// one.
package struct CurlMail: MailTransport {
    package init() {}

    package func send(_ mail: Mail) async throws {
        guard ([mail.sender] + mail.recipients).allSatisfy(Self.isAddress), !mail.recipients.isEmpty else {
            throw MailFailure(.invalidMail, "an address is malformed")
        }
        let exchange = MailExchange(mail)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { exchange.start(for: $0) }
        } onCancel: {
            exchange.cancel()
        }
    }

    /// What ends a command or an address would begin another.
    private static func isAddress(_ text: String) -> Bool {
        let marks = Array("<>\"\\".utf8)
        return (3...320).contains(text.utf8.count) && text.utf8.contains(UInt8(ascii: "@"))
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !marks.contains($0) }
    }
}
