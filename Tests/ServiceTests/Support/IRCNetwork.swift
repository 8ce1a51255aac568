import BotTestSupport

/// A real InspIRCd with Atheme services on loopback, stopped when it is let go.
///
/// NickServ accounts: `bot`, `alice` and `carol`.
final class IRCNetwork: Sendable {
    let values: [String: String]
    private let folder: TemporaryDirectory
    private let port: Int
    private let settings: [String: String]

    /// - Parameter settings: of `contrib/services/ircd.sh`: `IRCD_FLOOD`, `IRCD_LEAF`, ….
    init(_ settings: [String: String] = [:]) async throws {
        folder = try TemporaryDirectory()
        self.settings = settings
        (port, values) = try await ServiceScripts.start("ircd.sh", in: folder.path, settings: settings)
    }

    deinit {
        ServiceProcess.killAll(in: folder.path)
    }

    func value(_ name: String) -> String { values[name] ?? "" }

    /// `stop`, `split`, `heal`, `services-down`, `services-up`.
    func tell(_ command: String) async throws {
        try await ServiceScripts.run("ircd.sh", [command, folder.path])
    }

    func start() async throws {
        try await ServiceScripts.run("ircd.sh", ["start", folder.path, String(port)], settings: settings)
    }
}
