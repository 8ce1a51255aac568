package import DemoZimmer
import Foundation
import Testing

/// The real program, a simulated Zimmer, and a receiver of webhooks as the channel `pager`; in directories of their own.
package final class ProgramStage: Sendable {
    package let server: DemoServer
    package let webhook: RecordingWebhook
    package let directory: TemporaryDirectory

    /// More keys of the rules file.
    private let settings: String
    /// More keys of `zimmer`, one in a line.
    private let zimmer: String
    /// More channels, in lines indented by two.
    private let channels: String
    /// More of the program's environment.
    private let variables: [String: String]

    /// - Parameters:
    ///   - rules: the entries of `rules:`, as in a file where they are not indented.
    ///   - channels: the entries of `channels:` beside `pager`, not indented either.
    package init(
        _ rules: String, settings: String = "", zimmer: String = "", channels: String = "",
        variables: [String: String] = [:],
        _ configure: @Sendable (inout ZimmerState) -> Void = { _ in }
    ) throws {
        let now = ServerTime(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000))
        var state = ZimmerState(now: now)
        state.pollsPullRequests = false
        configure(&state)
        // In step with this machine's clock: what the program measures on Zimmer's clock passes as here.
        server = try DemoServer(state: state, clock: .running(from: now, speed: 1))
        webhook = try RecordingWebhook()
        directory = try TemporaryDirectory()
        self.settings = settings
        self.variables = variables
        self.zimmer = zimmer.split(separator: "\n").map { "  \($0)\n" }.joined()
        self.channels = channels.split(separator: "\n").map { "  \($0)\n" }.joined()
        try write(rules: rules)
    }

    deinit {
        server.stop()
        webhook.stop()
    }

    // MARK: - The program

    package var rulesPath: String { directory.path("rules.yaml") }
    package var statePath: String { directory.path("state") }
    package var databasePath: String { directory.path("state/zimmer-bot.sqlite") }

    /// Writes the rules file, in place.
    package func write(rules: String) throws {
        try directory.write(
            """
            zimmer:
              url: \(server.url)
              api_key: {env: ZIMMER_API_KEY}
              poll: {board: 1s, health: 1s, costs: 1s}
            \(zimmer)channels:
              pager: {adapter: webhook, url: {env: PAGER_URL}}
            \(channels)\(settings)
            rules:
            \(rules)
            """, to: "rules.yaml")
    }

    package var environment: [String: String] {
        let own = ["HOME": directory.path, "ZIMMER_API_KEY": server.apiKey, "PAGER_URL": webhook.url]
        return own.merging(variables) { _, new in new }
    }

    /// The daemon.
    package func start(_ options: String...) throws -> ChildProcess {
        try start(options)
    }

    package func start(_ options: [String]) throws -> ChildProcess {
        try ChildProcess(
            ["run", "-c", rulesPath, "--state", statePath] + options, environment: environment, companion: self)
    }

    /// Any other command, run to its end. It finds the state directory by itself.
    package func command(_ arguments: String...) async throws -> ChildProcess.Result {
        try await command(arguments)
    }

    package func command(_ arguments: [String]) async throws -> ChildProcess.Result {
        try await ChildProcess.run(arguments + ["--state", statePath], environment: environment)
    }

    /// A command that prints JSON.
    package func json(_ arguments: String...) async throws -> JSON {
        try await json(arguments)
    }

    package func json(_ arguments: [String]) async throws -> JSON {
        let result = try await ChildProcess.run(
            arguments + ["--json", "--state", statePath], environment: environment)
        return try #require(JSON(parsing: Array(result.standardOutput.utf8)), "\(result)")
    }

    // MARK: - What happened

    /// Returns when the board was read so often from now on, and what that led to was decided.
    ///
    /// The next reading begins only when the one before was decided, so its first request is the event.
    package func polls(_ count: Int = 3) async throws {
        try await server.request(count + 1, after: server.requests.count, matching: .boardPage(1))
    }

    /// Messages that were accepted, the same one only once.
    package var delivered: [RecordingWebhook.Message] {
        var seen: Set<String> = []
        return webhook.messages.elements.filter { $0.status == 200 && seen.insert($0.id).inserted }
    }

    package func writes(_ pattern: RequestPattern) -> [RecordedRequest] {
        server.received(pattern)
    }

    @discardableResult
    package func addSession(_ title: String, _ status: Session.Status = .needsInput) -> Int {
        server.update { $0.addSession(title: title, status: status) }
    }

    package func set(_ status: Session.Status, _ session: Int) {
        server.update { $0.edit(session) { $0.status = status } }
    }
}

extension RecordingWebhook.Message {
    /// By which a receiver knows a repeated delivery.
    package var id: String { header("webhook-id") ?? "" }
    package var rule: String? { json?["rule"]?.text }
    package var kind: String? { json?["kind"]?.text }
    package var body: String? { json?["text"]?.text }
    package var session: Int? { json?["subject"]?["id"]?.text.flatMap { Int($0) } }
    package var episode: Int? { json?["episode"]?.integer }
}

extension EventLog {
    /// Waits for an element like this.
    package func wait(for matches: @escaping @Sendable (Element) -> Bool) async throws {
        _ = try await element(where: matches)
    }
}

extension ChildProcess {
    /// Asks it to stop, and waits until it has.
    package func stop() async -> ExitStatus {
        signal(SIGTERM)
        return await exitStatus()
    }

    /// `kill -9`, and waits until it is gone.
    package func kill() async {
        killAtOnce()
        await exitStatus()
    }

    /// The next line of the log with this text; nil when the program ends without one.
    @discardableResult
    package func logged(_ text: String) async -> String? {
        for await line in errorLines where line.contains(text) { return line }
        return nil
    }
}
