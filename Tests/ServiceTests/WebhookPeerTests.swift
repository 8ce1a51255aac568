import AdapterKit
import AdapterKitTesting
import BotTestSupport
import Testing

@testable import BotCore
@testable import WebhookAdapter

/// Messages to programs that take webhooks.
@Suite(.timeLimit(.minutes(10))) struct WebhookPeerTests {
    private func adapter(_ format: String, _ url: String, _ header: String = "") throws -> any Adapter {
        try AdapterContract(
            kind: WebhookKind(),
            values: [
                "url": .secret(Secret(url)), "format": .text(format),
                "headers": .headers([HTTPHeader("X-Key", header)]),
            ]
        ).makeAdapter(transport: AdapterTransport(CurlTransport()), clock: SystemAdapterClock())
    }

    private func delivery(_ kind: AdapterKit.Message.Kind = .firing) -> Delivery {
        var message = AdapterContract.message
        message.kind = kind
        message.title = "Fix login failed"
        return Delivery(id: DeliveryID("dlv_1"), message: message, attempt: 1)
    }

    /// Debian's `webhook` runs a program when body and headers are as its file says.
    @Test func `a hook fires on a member of the body and a header`() async throws {
        let folder = try TemporaryDirectory()
        let hooks = try folder.write(
            """
            [{"id": "zimmer", "execute-command": "/bin/echo", "include-command-output-in-response": true,
              "pass-arguments-to-command": [{"source": "payload", "name": "subject.title"}],
              "trigger-rule-mismatch-http-response-code": 403,
              "trigger-rule": {"and": [
                {"match": {"type": "value", "value": "failed-session", "parameter": {"source": "payload", "name": "rule"}}},
                {"match": {"type": "value", "value": "the-key", "parameter": {"source": "header", "name": "X-Key"}}}]}}]
            """, to: "hooks.json")
        let port = ServiceProgram.port
        let program = try ServiceProgram.peer(
            "webhook", ["-hooks", hooks, "-ip", "127.0.0.1", "-port", "\(port)", "-verbose"])
        _ = try #require(await program.errorLines.line(with: "serving hooks on"))
        let url = "http://127.0.0.1:\(port)/hooks/zimmer"
        #expect(await (try adapter("json", url, "the-key")).deliver(delivery()) == .delivered(Receipt()))
        let refused = await (try adapter("json", url, "another")).deliver(delivery())
        #expect(HTTPAdapterContract.Class(refused) == .never)
        let command = try #require(await program.errorLines.line(with: "finished handling", "zimmer"))
        #expect(!command.isEmpty)
    }

    /// Joins a channel and prints what comes.
    private static let listener = """
        import socket, sys
        connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        connection.sendall(b"NICK reader\\r\\nUSER reader 0 * :reader\\r\\n")
        for line in connection.makefile("rb"):
            if line.startswith(b"PING"): connection.sendall(line.replace(b"PING", b"PONG", 1))
            if b" 001 " in line: connection.sendall(b"JOIN #zimmer-alerts\\r\\n")
            print(line.decode("utf-8", "replace").rstrip())
        """

    @Test func `alertmanager-irc-relay says when an alert begins and ends`() async throws {
        let network = try await IRCNetwork()
        let folder = try TemporaryDirectory()
        let port = ServiceProgram.port
        let settings = try folder.write(
            """
            http_host: 127.0.0.1
            http_port: \(port)
            irc_host: 127.0.0.1
            irc_port: \(network.value("IRC_PORT"))
            irc_use_ssl: no
            irc_nickname: relay
            irc_channels: [{name: "#zimmer-alerts"}]
            msg_template: "{{ .Labels.alertname }} {{ .Labels.subject_id }} {{ .Status }}: {{ .Annotations.summary }}"
            """, to: "relay.yml")
        let reader = try ServiceProgram.python(Self.listener, [network.value("IRC_PORT")])
        _ = try #require(await reader.lines.line(with: " 366 ", "#zimmer-alerts"))
        let relay = try ServiceProgram.peer("alertmanager-irc-relay", ["-config", settings])
        _ = try #require(await reader.lines.line(with: "relay", "JOIN"))
        let adapter = try adapter("alertmanager", "http://127.0.0.1:\(port)/zimmer-alerts")
        for (kind, status) in [(AdapterKit.Message.Kind.firing, "firing"), (.resolved, "resolved")] {
            #expect(await adapter.deliver(delivery(kind)) == .delivered(Receipt()))
            let line = try #require(await reader.lines.line(with: "NOTICE #zimmer-alerts"))
            #expect(line.hasSuffix("failed-session 7 \(status): Fix login failed"))
        }
        relay.killAtOnce()
    }
}
