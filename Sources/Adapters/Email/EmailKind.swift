package import AdapterKit
import Foundation

/// `adapter: email`: a mail per message, through a mail server.
package struct EmailKind: AdapterKind {
    package let name = "email"
    package let schema = ConfigurationSchema([
        ConfigurationKey(
            "server", .text, required: true,
            "`smtps://HOST[:PORT]`, encrypted from the start, or `smtp://HOST[:PORT]`, encrypted by STARTTLS."),
        ConfigurationKey("user", .text, "Who signs in; with `password`."),
        ConfigurationKey("password", .secret, "The password of `user`."),
        ConfigurationKey("from", .text, required: true, "`bot@example.com`, or `Name <bot@example.com>`."),
        ConfigurationKey("to", .textList, required: true, "Addresses, at least one."),
        ConfigurationKey("ca_file", .path, "Authorities (PEM) to trust in place of the system's."),
        ConfigurationKey(
            "tls", .boolean, default: .boolean(true), "`false` sends in the clear: to a server on this machine only."),
        ConfigurationKey(
            "timeout", .duration(atMost: .seconds(300)), default: .duration(.seconds(60)),
            "How long a mail may take, at most 5m."),
    ])

    package init() {}

    package func makeAdapter(
        configuration: AdapterConfiguration, context: AdapterContext
    ) throws(ConfigurationError) -> any Adapter {
        let password = configuration.has("password") ? try configuration.secret("password") : nil
        var server = try Self.server(configuration)
        server.password = password
        let from = try Self.address(try configuration.text("from"), key: "from")
        let to = try configuration.textList("to")
        guard (1...50).contains(to.count) else { throw ConfigurationError(key: "to", "needs 1 to 50 addresses") }
        var addresses: [MailAddress] = []
        for text in to { addresses.append(try Self.address(text, key: "to")) }
        return EmailAdapter(
            server: server, composer: MailComposer(from: from, to: addresses),
            timeout: try configuration.duration("timeout"),
            redactor: Redactor(password.map { Self.forms(of: $0, user: server.user ?? "") } ?? []),
            transport: context.mail)
    }

    private static func server(_ configuration: AdapterConfiguration) throws(ConfigurationError) -> Mail.Server {
        let url = try configuration.text("server")
        guard
            let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty,
            parts.port.map((1...65_535).contains) ?? true
        else {
            throw ConfigurationError(key: "server", "needs smtps://HOST[:PORT] or smtp://HOST[:PORT]")
        }
        let isBare = parts.user == nil && ["", "/"].contains(parts.path) && parts.query == nil && parts.fragment == nil
        guard ["smtp", "smtps"].contains(parts.scheme), isBare else {
            throw ConfigurationError(
                key: "server", "needs smtps://HOST[:PORT] or smtp://HOST[:PORT]; the user has a key of its own")
        }
        let isEncrypted = try configuration.boolean("tls")
        guard isEncrypted || (parts.scheme == "smtp" && ["localhost", "127.0.0.1", "[::1]"].contains(host)) else {
            throw ConfigurationError(key: "tls", "can be false for smtp://localhost only")
        }
        let user = configuration.has("user") ? try configuration.text("user") : nil
        guard (user == nil) == !configuration.has("password") else {
            throw ConfigurationError(
                key: user == nil ? "password" : "user", "is nothing without the other of user and password")
        }
        let authorities = configuration.has("ca_file") ? try configuration.text("ca_file") : nil
        return Mail.Server(url: url, isEncrypted: isEncrypted, user: user, authorityFile: authorities)
    }

    private static func address(_ text: String, key: String) throws(ConfigurationError) -> MailAddress {
        guard let address = MailAddress(text) else {
            throw ConfigurationError(key: key, "needs name@example.com or 'Name <name@example.com>'")
        }
        return address
    }

    /// A password as it goes over the wire, which a server may repeat.
    private static func forms(of password: Secret, user: String) -> [Secret] {
        let text = password.reveal()
        let encoded = [text, "\u{0}\(user)\u{0}\(text)"].map { Secret(Data($0.utf8).base64EncodedString()) }
        return [password] + encoded
    }
}
