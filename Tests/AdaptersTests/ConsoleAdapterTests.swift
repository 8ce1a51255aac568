import AdapterKit
import AdapterKitTesting
import ConsoleAdapter
import Synchronization
import Testing

@Suite struct ConsoleAdapterTests {
    /// Takes what is printed.
    private final class Screen: Sendable {
        private let printed = Mutex("")
        var text: String { printed.withLock { $0 } }
        func print(_ text: String) { printed.withLock { $0 += text } }
    }

    private func show(_ message: Message, color: String = "never", onTerminal: Bool = false) async throws -> String {
        let screen = Screen()
        let kind = ConsoleKind(usesColorOnAuto: onTerminal) { screen.print($0) }
        let adapter = try AdapterContract(kind: kind, values: ["color": .text(color)])
            .makeAdapter(transport: SilentTransport())
        let outcome = await adapter.deliver(Delivery(id: DeliveryID("dlv_1"), message: message, attempt: 1))
        #expect(outcome == .delivered(Receipt()))
        return screen.text
    }

    @Test func `it keeps the contract`() async throws {
        let contract = AdapterContract(kind: ConsoleKind(usesColorOnAuto: false) { _ in }, values: [:])
        contract.checkSchema()
        contract.checkRefusals()
        try await contract.checkRunEnds()
    }

    @Test func `a message is a line about it and its text, indented`() async throws {
        var message = AdapterContract.message
        message.urgency = .high
        message.title = "Trouble"
        message.body = TextTree([
            .paragraph([.strong([.text("Fix login")]), .text(" failed:"), .lineBreak, .code("a_b")]),
            .list(start: nil, items: [[.paragraph([.text("one")])], [.paragraph([.text("two")])]]),
            .list(start: 9, items: [[.paragraph([.text("nine")]), .quote([.paragraph([.text("said")])])]]),
            .paragraph([.link([.text("page")], url: "https://example.com")]),
        ])
        #expect(
            try await show(message) == """
                2026-10-09 12:02:00Z  contract  firing!  failed-session  session 7
                    Trouble
                    Fix login failed:
                    a_b

                    - one
                    - two

                    9. nine
                       > said

                    page (https://example.com)

                """)
    }

    @Test(arguments: [("always", false, true), ("never", true, false), ("auto", true, true), ("auto", false, false)])
    func `colour is used where it is wanted`(color: String, onTerminal: Bool, isColored: Bool) async throws {
        let text = try await show(AdapterContract.message, color: color, onTerminal: onTerminal)
        #expect(text.contains("\u{1B}[1mFix login\u{1B}[22m") == isColored)
        #expect(text.contains("\u{1B}") == isColored)
    }

    @Test func `no text steers the terminal`() async throws {
        let hostile = "\u{1B}]0;owned\u{7}\u{9B}2J\u{202E}x\r\ny"
        var message = AdapterContract.message
        message.channel = hostile
        message.rule = hostile
        message.title = hostile
        message.subject = Message.Subject(type: hostile, id: hostile)
        message.body = TextTree([
            .heading(level: 1, [.text(hostile)]), .code(hostile, language: hostile),
            .paragraph([.code(hostile), .link([.emphasis([.text(hostile)])], url: hostile)]),
        ])
        let text = try await show(message)
        #expect(text.printableText.utf8.elementsEqual(text.utf8))
    }

    @Test func `a message that could not be printed waits`() async throws {
        struct Closed: Error {}
        let kind = ConsoleKind(usesColorOnAuto: false) { _ in throw Closed() }
        let adapter = try AdapterContract(kind: kind, values: [:]).makeAdapter(transport: SilentTransport())
        let outcome = await adapter.deliver(
            Delivery(id: DeliveryID("dlv_1"), message: AdapterContract.message, attempt: 1))
        #expect(outcome == .wait(reason: "cannot write to standard output", retryAfter: nil))
    }

    @Test func `a chart is a line of bars, and its labels are text`() async throws {
        var message = AdapterContract.message
        message.chart = Chart(
            title: "Cost\u{1B}[31m", points: [.init(label: "mon\r\n", value: 1), .init(label: "tue", value: 2)])
        let text = try await show(message)
        #expect(text.hasSuffix("    Cost[31m: mon  ▄█ tue, at most $2.00\n"))
    }
}
