import AdapterKit
import BotTestSupport
import DemoZimmer
import Testing

@Suite(.timeLimit(.minutes(10))) struct AccountTests {
    @Test func `what the other side asked of an account holds under the next rules too`() async throws {
        let server = try DemoServer()
        let simulation = try Simulation(
            file: """
                zimmer: {url: "http://127.0.0.1", api_key: {env: ZIMMER_API_KEY}, poll: {board: 30s}}
                channels: {ops: {adapter: busy}, pager: {adapter: busy}}
                rules:
                - {name: a, watch: session, if: session.status == "failed", do: [{post: ops, text: x}]}
                - {name: b, watch: session, if: session.status == "needs_input", do: [{post: pager, text: x}]}
                """, on: server, kinds: { [BusyKind(messages: $0)] })
        await simulation.pass(.seconds(30))
        let session = server.update { $0.addSession(title: "Fix login", status: .failed) }
        await simulation.pass(.seconds(30))
        #expect(simulation.said == ["ops: x"])
        server.update { $0.edit(session) { $0.status = .needsInput } }
        await simulation.pass(.seconds(60))
        #expect(simulation.said == ["ops: x"])
        await simulation.pass(.seconds(600))
        #expect(simulation.said.contains("pager: x"))
    }
}

/// Channels of one account, which first asks to wait for five minutes.
private struct BusyKind: AdapterKind {
    let name = "busy"
    let schema = ConfigurationSchema([])
    let messages: EventLog<Message>

    func makeAdapter(
        configuration: AdapterConfiguration, context: AdapterContext
    ) throws(ConfigurationError) -> any Adapter {
        BusyAdapter(messages: messages)
    }
}

private struct BusyAdapter: Adapter {
    let account = "busy"
    let messages: EventLog<Message>

    func deliver(_ delivery: Delivery) async -> DeliveryOutcome {
        messages.append(delivery.message)
        let isFirst = messages.elements.count == 1
        return isFirst ? .wait(reason: "429", retryAfter: .seconds(300), affects: .account) : .delivered(Receipt())
    }

    func render(_ delivery: Delivery) -> [RenderedPart] { [] }
}
