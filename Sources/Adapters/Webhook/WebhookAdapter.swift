// Start here: `WebhookKind` is what may be configured, `WebhookBody` what is sent, `WebhookSigner` how it is signed.

import AdapterKit

/// Sends each message as one HTTP request.
struct WebhookAdapter: Adapter {
    /// Where to, and how.
    struct Endpoint: Sendable {
        var url: Secret
        /// The part of `url` that may be shown.
        var address: HTTPAddress
        var method: String
        var headers: [HTTPHeader]
        var timeout: Duration
    }

    let endpoint: Endpoint
    let signer: WebhookSigner?
    let redactor: Redactor
    let transport: any HTTPTransport
    let clock: any AdapterClock

    /// The URL is the credential.
    var account: String { "webhook \(Base64.encode(SHA256.hash(Array(endpoint.url.reveal().utf8))))" }

    func deliver(_ delivery: Delivery) async -> DeliveryOutcome {
        do {
            let response = try await transport.send(request(delivery))
            return response.outcome(from: endpoint.address, redactor: redactor, now: clock.now)
        } catch let failure as HTTPFailure {
            return failure.outcome(from: endpoint.address, redactor: redactor)
        } catch is CancellationError {
            return .wait(reason: "\(endpoint.address): the request was cancelled", retryAfter: nil)
        } catch {
            return .wait(reason: "\(endpoint.address): the request failed", retryAfter: nil)
        }
    }

    func render(_ delivery: Delivery) -> [RenderedPart] {
        [RenderedPart(label: "body", bytes: WebhookBody.json(delivery))]
    }

    private func request(_ delivery: Delivery) -> HTTPRequest {
        let body = WebhookBody.json(delivery)
        // New on every try, while the id stays: the receiver refuses what is old and forgets what it had already.
        let timestamp = String(clock.now.seconds)
        var headers = endpoint.headers
        headers.append(HTTPHeader("Content-Type", "application/json"))
        headers.append(HTTPHeader("webhook-id", delivery.id.text))
        headers.append(HTTPHeader("webhook-timestamp", timestamp))
        if let signer {
            let signature = signer.signature(id: delivery.id.text, timestamp: timestamp, body: body)
            headers.append(HTTPHeader("webhook-signature", signature))
        }
        return HTTPRequest(
            method: endpoint.method, url: endpoint.url, headers: headers, body: body, timeout: endpoint.timeout)
    }
}
