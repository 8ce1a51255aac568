import BotTestSupport
import Glibc

/// A real Synapse on loopback, stopped when it is let go.
///
/// Users: `bot`, `alice` (an administrator) and `carol`.
final class Homeserver: Sendable {
    let values: [String: String]
    private let folder: TemporaryDirectory
    private let port: Int
    private let settings: [String: String]

    /// - Parameter settings: of `contrib/services/synapse.sh`: `SYNAPSE_LIMITS`, ….
    init(_ settings: [String: String] = [:]) async throws {
        folder = try TemporaryDirectory()
        self.settings = settings
        (port, values) = try await ServiceScripts.start("synapse.sh", in: folder.path, settings: settings)
    }

    deinit {
        ServiceProcess.killAll(in: folder.path)
    }

    /// `http://127.0.0.1:PORT`.
    var address: String { values["MATRIX_HOMESERVER"] ?? "" }

    func stop() async throws {
        try await ServiceScripts.run("synapse.sh", ["stop", folder.path])
    }

    /// The same server again: users, tokens and rooms are as before.
    func start() async throws {
        try await ServiceScripts.run("synapse.sh", ["start", folder.path, String(port)], settings: settings)
    }
}
