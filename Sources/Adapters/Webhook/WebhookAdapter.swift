// Start here: `WebhookKind` is what may be configured, a `WebhookFormat` what is sent, `WebhookSigner` how it is signed.

import AdapterKit

/// Sends each message as one HTTP request, or as a few where the service's limit asks for it.
struct WebhookAdapter: Adapter {
    /// Where to, and how.
    struct Endpoint: Sendable {
        var url: Secret
        /// The part of `url` that may be shown.
        var address: HTTPAddress
        var headers: [HTTPHeader]
        var timeout: Duration
    }

    let target: Endpoint
    let format: any WebhookFormat
    let signer: WebhookSigner?
    let redactor: Redactor
    let transport: any HTTPTransport
    let clock: any AdapterClock
    let sentParts: SentParts
    let pause = ServicePause()

    /// The URL is the credential.
    var account: String { "webhook \(Base64.encode(SHA256.hash(Array(target.url.reveal().utf8))))" }
    var rate: Rate? { format.rate }
    var recognizesRepeats: Bool { format.isStandardWebhook }
    var takesPictures: Bool { format.takesPictures }

    var endpoint: ByteStreamEndpoint? { target.address.endpoint }

    func deliver(_ delivery: Delivery) async -> DeliveryOutcome {
        let requests = format.requests(delivery)
        var ids = requests.count > 1 ? await sentParts.ids(of: delivery.id) : []
        for (index, request) in requests.enumerated().dropFirst(ids.count) {
            if index > 0, let rate { pause.extend(to: clock.now + rate.interval) }
            let outcome = await send(request, of: delivery)
            guard case .delivered(let receipt) = outcome else { return outcome }
            ids.append(receipt.ids.first ?? "")
            if index < requests.count - 1 { await sentParts.keep(ids, of: delivery.id) }
        }
        return .delivered(Receipt(ids: ids.filter { !$0.isEmpty }))
    }

    func render(_ delivery: Delivery) -> [RenderedPart] {
        format.requests(delivery).map { RenderedPart(label: "body", bytes: $0.body) }
    }

    /// One request, and where it was to edit a message that is gone, the one that sends it anew.
    private func send(_ request: WebhookRequest, of delivery: Delivery) async -> DeliveryOutcome {
        do {
            try await pause.wait(clock)
            let response = try await transport.send(httpRequest(request, delivery))
            if response.status == 404, let replacement = request.replacement.first {
                return await send(replacement, of: delivery)
            }
            return outcome(response)
        } catch let failure as HTTPFailure {
            return failure.outcome(from: target.address, redactor: redactor)
        } catch is CancellationError {
            return .wait(reason: "\(target.address): the request was cancelled", retryAfter: nil)
        } catch {
            return .wait(reason: "\(target.address): the request failed", retryAfter: nil)
        }
    }

    private func outcome(_ response: HTTPResponse) -> DeliveryOutcome {
        let outcome = response.outcome(from: target.address, redactor: redactor, now: clock.now)
        guard let reason = outcome.reason else {
            if let duration = format.pause(after: response) { pause.extend(to: clock.now + duration) }
            return .delivered(Receipt(ids: format.receiptID(response).map { [$0] } ?? []))
        }
        switch format.outcome(response) {
        case .channelIsWrong: return .never(reason: reason, affects: .channel)
        case .mayPass: return .maybe(reason: reason)
        case nil: return outcome
        }
    }

    private func httpRequest(_ request: WebhookRequest, _ delivery: Delivery) -> HTTPRequest {
        var headers = target.headers
        headers.append(HTTPHeader("Content-Type", request.contentType))
        if format.isStandardWebhook {
            // New on every try, while the id stays: the receiver refuses what is old and forgets what it had already.
            let timestamp = String(clock.now.seconds)
            headers.append(HTTPHeader("webhook-id", delivery.id.text))
            headers.append(HTTPHeader("webhook-timestamp", timestamp))
            if let signer {
                let signature = signer.signature(id: delivery.id.text, timestamp: timestamp, body: request.body)
                headers.append(HTTPHeader("webhook-signature", signature))
            }
        }
        return HTTPRequest(
            method: request.method, url: request.url ?? target.url, headers: headers,
            body: request.body, timeout: target.timeout)
    }
}
