import AdapterKit
import Synchronization

/// The connections of a rules file: one for each server and nick.
final class ConnectionRegistry: Sendable {
    private let connections = Mutex<[String: IRCConnection]>([:])

    /// The connection that these settings lead to, made where there is none.
    ///
    /// - Throws: where another channel says something else about the same nick on the same server.
    func connection(_ settings: ServerSettings, _ context: AdapterContext) throws(ConfigurationError) -> IRCConnection {
        let name = "\(settings.nick.lowercased())@\(settings.address.lowercased())"
        let connection = connections.withLock { connections in
            let connection = connections[name] ?? IRCConnection(settings, context)
            connections[name] = connection
            return connection
        }
        guard connection.settings == settings else {
            throw ConfigurationError(
                "another channel has the same 'server' and 'nick', which share one connection: write the same 'tls', "
                    + "'ca_file', 'user', 'realname', 'password' and 'sasl' in both, or use another 'nick'")
        }
        return connection
    }
}
