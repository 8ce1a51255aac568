import AdapterKit
import AdapterKitTesting
import Foundation
import Testing

@testable import WebhookAdapter

@Suite struct DiscordTests {
    private let message = Webhook.message(TextTree(text: "hello"))

    private func deliver(_ delivery: Delivery, answers: [HTTPResponse]) async throws -> (DeliveryOutcome, [HTTPRequest])
    {
        let answers = Answers(answers)
        let transport = RecordingTransport { _ in answers.next() }
        let adapter = try WebhookPartsTests.discord(transport, AdvancingClock())
        let outcome = await adapter.deliver(delivery)
        return (outcome, transport.requests)
    }

    private func delivery(replaces: Receipt? = nil, mentions: [String] = [], picture: Picture? = nil) -> Delivery {
        Delivery(
            id: DeliveryID("dlv_1"), message: message, attempt: 1, replaces: replaces, mentions: mentions,
            picture: picture)
    }

    @Test func `it is asked for the id, which is the receipt`() async throws {
        let (outcome, requests) = try await deliver(delivery(), answers: [.status(200, id: "1234567890")])
        #expect(outcome == .delivered(Receipt(id: "1234567890")))
        #expect(
            requests.map { $0.url.reveal() } == [
                "https://hooks.example.com:8443/services/T0PS3CRET/path-secret?token=query-secret&wait=true"
            ])
    }

    @Test(arguments: [
        #"{"id":"../../x"}"#, #"{"id":12}"#, "[", "", #"{"id":""}"#, String(repeating: "[", count: 60_000),
    ])
    func `an answer without an id that is one is a delivery without a receipt`(body: String) async throws {
        let (outcome, _) = try await deliver(
            delivery(), answers: [HTTPResponse(status: 200, body: Array(body.utf8))])
        #expect(outcome == .delivered(Receipt()))
    }

    @Test func `a message that takes the place of another edits it`() async throws {
        let (outcome, requests) = try await deliver(
            delivery(replaces: Receipt(id: "77")), answers: [.status(200, id: "77")])
        #expect(outcome == .delivered(Receipt(id: "77")))
        #expect(requests.map(\.method) == ["PATCH"])
        #expect(
            requests.first?.url.reveal()
                == "https://hooks.example.com:8443/services/T0PS3CRET/path-secret/messages/77?token=query-secret")
        #expect(requests.first?.text == #"{"content":"hello","allowed_mentions":{"parse":[],"users":[],"roles":[]}}"#)
    }

    @Test func `an edited message that is gone is sent anew`() async throws {
        let (outcome, requests) = try await deliver(
            delivery(replaces: Receipt(id: "77")), answers: [.status(404), .status(200, id: "78")])
        #expect(outcome == .delivered(Receipt(id: "78")))
        #expect(requests.map(\.method) == ["PATCH", "POST"])
    }

    @Test func `what is left of a longer message is a dash`() async throws {
        let (_, requests) = try await deliver(
            delivery(replaces: Receipt(ids: ["77", "78"])), answers: [.status(200, id: "77")])
        #expect(requests.map(\.method) == ["PATCH", "PATCH"])
        #expect(requests.last?.text.contains(#""content":"—""#) == true)
    }

    @Test func `only who is configured is called`() async throws {
        let names = ["81384788765712384", "role:165511591545143296", "here", "@everyone"]
        let (_, requests) = try await deliver(delivery(mentions: names), answers: [.status(200)])
        let text = try #require(requests.first?.text)
        #expect(text.contains(#""content":"<@81384788765712384> <@&165511591545143296> @here @@everyone\nhello""#))
        #expect(
            text.contains(
                #""allowed_mentions":{"parse":["everyone"],"users":["81384788765712384"],"#
                    + #""roles":["165511591545143296"]}"#))
    }

    @Test func `it is left alone until its limit allows the next`() async throws {
        let clock = TestClock()
        let transport = RecordingTransport(
            .status(200, id: "1", headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "1.25"]))
        let adapter = try WebhookPartsTests.discord(transport, clock)
        _ = await adapter.deliver(delivery())
        let second = Task { await adapter.deliver(delivery()) }
        await clock.sleepers(1)
        #expect(clock.untilNextWake == .milliseconds(1250))
        #expect(transport.requests.count == 1)
        clock.advance(by: .milliseconds(1250))
        #expect(await second.value == .delivered(Receipt(id: "1")))
    }

    @Test func `a chart's picture goes along`() async throws {
        let picture = Picture(
            bytes: [0x89, 0x50, 0x0D, 0x0A], mediaType: "image/png", width: 1, height: 1, description: "d")
        let (_, requests) = try await deliver(delivery(picture: picture), answers: [.status(200, id: "1")])
        let request = try #require(requests.first)
        #expect(request.header("content-type") == "multipart/form-data; boundary=dlv_1")
        let head = """
            --dlv_1\r\nContent-Disposition: form-data; name="payload_json"\r\nContent-Type: application/json\r\n\r\n\
            {"content":"hello","allowed_mentions":{"parse":[],"users":[],"roles":[]},"flags":4}\r\n\
            --dlv_1\r\nContent-Disposition: form-data; name="files[0]"; filename="chart.png"\r\n\
            Content-Type: image/png\r\n\r\n
            """
        #expect(request.body == Array(head.utf8) + picture.bytes + Array("\r\n--dlv_1--\r\n".utf8))
    }
}
