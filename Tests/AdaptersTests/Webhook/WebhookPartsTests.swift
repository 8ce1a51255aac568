import AdapterKit
import AdapterKitTesting
import Testing

@testable import WebhookAdapter

/// Messages longer than a service takes at once.
@Suite struct WebhookPartsTests {
    private let long = Webhook.message(
        TextTree((0..<400).map { .paragraph([.text("\($0) Some words of a *long* text <!channel> & more")]) }))

    private func delivery(_ id: String = "dlv_1", mayBeRepeated: Bool = false) -> Delivery {
        Delivery(id: DeliveryID(id), message: long, attempt: 1, mayBeRepeated: mayBeRepeated)
    }

    @Test(arguments: [
        ("slack", "text", 12_000), ("discord", "content", 2000), ("mattermost", "text", 16_383),
        ("ntfy", "message", 4096), ("gotify", "message", 16_000),
    ])
    func `each part is within the limit and numbered, and the last says what was left out`(
        format: String, member: String, limit: Int
    ) throws {
        let parts = try Webhook.bodies(format, long).map { try #require($0[member] as? String) }
        #expect((2...3).contains(parts.count))
        for (index, part) in parts.enumerated() {
            #expect(part.unicodeScalars.count <= limit)
            #expect(part.contains("(\(index + 1)/\(parts.count)) "))
        }
        if format != "mattermost", format != "gotify" {
            #expect(parts.last?.contains("… +") == true)
            #expect(parts.last?.contains("https://zimmer.example.com/sessions/7") == true)
        }
    }

    @Test func `slack never gets more than 50 blocks`() throws {
        let dividers = Webhook.message(
            TextTree((0..<200).flatMap { [TextBlock.paragraph([.text("\($0)")]), .divider] }))
        for body in try Webhook.bodies("slack", dividers) {
            let blocks = try #require(body["blocks"] as? [Any])
            #expect(blocks.count <= 50)
        }
    }

    @Test func `parts go one after the other, no faster than the service takes them`() async throws {
        let clock = TestClock()
        let transport = RecordingTransport(HTTPResponse(status: 200, body: Array("ok".utf8)))
        let adapter = try Webhook.adapter("slack", transport: transport, clock: clock)
        let sending = Task { await adapter.deliver(delivery()) }
        for part in 1...2 {
            await clock.sleepers(1)
            #expect(transport.requests.count == part)
            clock.advance(by: .seconds(1))
        }
        #expect(await sending.value == .delivered(Receipt()))
        #expect(transport.requests.count == 3)
    }

    @Test func `the next try begins with the part that did not go`() async throws {
        let clock = AdvancingClock()
        let answers = Answers([.status(200, id: "11"), .status(503), .status(200, id: "12"), .status(200, id: "13")])
        let transport = RecordingTransport { _ in answers.next() }
        let adapter = try WebhookPartsTests.discord(transport, clock)
        let first = await adapter.deliver(delivery())
        #expect(HTTPAdapterContract.Class(first) == .wait)
        #expect(await adapter.deliver(delivery()) == .delivered(Receipt(ids: ["11", "12", "13"])))
        #expect(transport.requests[1].body == transport.requests[2].body)
        #expect(transport.requests.count == 4)
    }

    @Test func `a second try that may repeat something is cut in the same places`() throws {
        let parts = try Webhook.bodies("discord", long).map { $0["content"] as? String }
        let again = try Webhook.bodies("discord", long, mayBeRepeated: true).map { $0["content"] as? String }
        #expect(parts.count == again.count)
        #expect(parts.dropLast() == again.dropLast())
    }

    static func discord(_ transport: RecordingTransport, _ clock: any AdapterClock) throws -> any Adapter {
        try WebhookKind().makeAdapter(
            configuration: AdapterConfiguration(schema: WebhookKind().schema, values: Webhook.values("discord")),
            context: .testing(transport: transport, clock: clock))
    }
}

/// A clock on which every wait is over at once.
final class AdvancingClock: AdapterClock {
    private let clock = TestClock()
    var now: WallTime { clock.now }

    func sleep(for duration: Duration) async throws {
        clock.advance(by: duration)
        try Task.checkCancellation()
    }
}
