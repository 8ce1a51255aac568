// Start here: `EmailKind` is what may be configured, `MailComposer` what is sent.

import AdapterKit

/// Sends each message as a mail.
struct EmailAdapter: Adapter {
    let server: Mail.Server
    let composer: MailComposer
    let timeout: Duration
    let redactor: Redactor
    let transport: any MailTransport

    var account: String { "email \(server.url) \(server.user ?? "")" }
    /// Mail programs and servers keep one of several mails with the same Message-ID.
    var recognizesRepeats: Bool { true }
    var takesPictures: Bool { true }

    var endpoint: ByteStreamEndpoint? {
        guard let scheme = server.url.firstRange(of: "://") else { return nil }
        let isEncrypted = server.url.hasPrefix("smtps")
        // As a web address, of which the ports alone are others.
        let address = HTTPAddress(Secret("\(isEncrypted ? "https" : "http")://\(server.url[scheme.upperBound...])"))
        guard var endpoint = address?.endpoint else { return nil }
        if endpoint.port == 443 || endpoint.port == 80 { endpoint.port = isEncrypted ? 465 : 25 }
        endpoint.tls?.authorityFile = server.authorityFile
        return endpoint
    }

    func deliver(_ delivery: Delivery) async -> DeliveryOutcome {
        let mail = Mail(
            server: server, sender: composer.from.address, recipients: composer.to.map(\.address),
            content: composer.content(delivery), timeout: timeout)
        do {
            try await transport.send(mail)
            return .delivered(Receipt(id: composer.messageID(delivery)))
        } catch let failure as MailFailure {
            return outcome(failure)
        } catch is CancellationError {
            return .wait(reason: "\(server.url): the mail was cancelled", retryAfter: nil)
        } catch {
            return .wait(reason: "\(server.url): the mail was not sent", retryAfter: nil)
        }
    }

    func render(_ delivery: Delivery) -> [RenderedPart] {
        [RenderedPart(label: "mail", bytes: composer.content(delivery))]
    }

    private func outcome(_ failure: MailFailure) -> DeliveryOutcome {
        let reason = "\(server.url): \(redactor.redact(failure.detail).printableLine.clipped(to: 250))"
        switch failure.code {
        case .unreachable, .untrusted, .answered(..<500): return .wait(reason: reason, retryAfter: nil)
        case .timedOut, .interrupted: return .lost(reason: reason)
        case .answered: return .never(reason: reason)
        case .refusedSignIn: return .never(reason: reason, affects: .account)
        case .invalidMail: return .never(reason: reason, affects: .channel)
        }
    }
}
