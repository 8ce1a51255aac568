import AdapterKit

/// Reads the keys of a channel, and refuses what no server could take or nobody should send.
struct IRCConfiguration {
    private let values: AdapterConfiguration

    init(_ values: AdapterConfiguration) {
        self.values = values
    }

    func channel() throws(ConfigurationError) -> String {
        let name = try word("channel")
        guard let first = name.utf8.first, "#&+!".utf8.contains(first), name.utf8.count > 1 else {
            throw ConfigurationError(key: "channel", "needs the name of a channel, such as '#ops'")
        }
        return name
    }

    func channelKey() throws(ConfigurationError) -> Secret? {
        guard values.has("key") else { return nil }
        let key = try values.secret("key")
        guard Self.isWord(key.reveal()) else { throw ConfigurationError(key: "key", Self.wordRule) }
        return key
    }

    func settings() throws(ConfigurationError) -> ServerSettings {
        let nick = try nick()
        let tls = try tls()
        let login = try login(hasTLS: tls != nil)
        let password = values.has("password") ? try values.secret("password") : nil
        if let password, password.reveal().utf8.contains(where: { $0 < 0x20 }) {
            throw ConfigurationError(key: "password", "has a control character, which cannot be sent")
        }
        let endpoint = ByteStreamEndpoint(host: try server(), port: try port(), tls: tls)
        if tls == nil, !Self.isLoopback(endpoint.host) {
            if password != nil { throw Self.unencrypted("password") }
            if case .plain = login { throw Self.unencrypted("sasl") }
        }
        return ServerSettings(
            endpoint: endpoint, nick: nick, user: try user(nick), realName: try line("realname"), password: password,
            login: login)
    }

    // MARK: - Keys

    private func server() throws(ConfigurationError) -> String {
        let name = try values.text("server")
        let isName = name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"/@?#,[]".utf8.contains($0) }
        // An address of IPv6 has more colons than the one in front of a port.
        guard isName, (1...255).contains(name.utf8.count), name.utf8.count(where: { $0 == UInt8(ascii: ":") }) != 1
        else {
            throw ConfigurationError(
                key: "server",
                "needs a name or an address alone, such as 'irc.example.org'; the port has a key of its own")
        }
        return name
    }

    private func port() throws(ConfigurationError) -> Int {
        let port = try values.integer("port")
        guard (1...65_535).contains(port) else { throw ConfigurationError(key: "port", "takes 1 to 65535") }
        return port
    }

    private func tls() throws(ConfigurationError) -> ByteStreamEndpoint.TLS? {
        let section = try values.section("sasl")
        let authority = values.has("ca_file") ? try values.text("ca_file") : nil
        let certificate = try section?.optionalText("certificate")
        let key = try section?.optionalText("key")
        guard try values.boolean("tls") else {
            guard authority == nil, certificate == nil, key == nil else {
                throw ConfigurationError(key: "tls", "has to be true for a certificate to be used")
            }
            return nil
        }
        return ByteStreamEndpoint.TLS(authorityFile: authority, certificateFile: certificate, keyFile: key)
    }

    private func login(hasTLS: Bool) throws(ConfigurationError) -> ServerSettings.Login? {
        guard let section = try values.section("sasl") else { return nil }
        let account = try section.optionalText("account")
        if let account, account.utf8.contains(where: { $0 < 0x20 }) {
            throw ConfigurationError(key: "sasl", "has a control character in 'account'")
        }
        if try section.text("mechanism") == "external" {
            guard section.has("certificate"), hasTLS else {
                throw ConfigurationError(key: "sasl", "needs 'certificate' for 'mechanism: external'")
            }
            guard !section.has("password") else {
                throw ConfigurationError(key: "sasl", "has no use for 'password' with 'mechanism: external'")
            }
            return .external(account: account)
        }
        guard let account, !account.isEmpty, section.has("password") else {
            throw ConfigurationError(key: "sasl", "needs 'account' and 'password' for 'mechanism: plain'")
        }
        let password = try section.secret("password")
        guard !password.reveal().utf8.contains(0) else {
            throw ConfigurationError(key: "sasl", "has a control character in 'password'")
        }
        return .plain(account: account, password: password)
    }

    private func nick() throws(ConfigurationError) -> String {
        let nick = try word("nick")
        let isDigit = nick.utf8.first.map { (0x30...0x39).contains($0) } ?? true
        guard !isDigit, !nick.utf8.contains(where: { "#&+@!*?,.".utf8.contains($0) }), nick.utf8.count <= 50 else {
            throw ConfigurationError(
                key: "nick", "needs a nick: at most 50 letters, digits, '-' and '_', no digit at the start")
        }
        return nick
    }

    private func user(_ nick: String) throws(ConfigurationError) -> String {
        guard values.has("user") else {
            let letters = nick.utf8.filter { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) }
            return letters.isEmpty ? "bot" : String(decoding: letters.prefix(10), as: UTF8.self)
        }
        let user = try word("user")
        guard !user.contains("@"), !user.contains("!"), user.utf8.count <= 32 else {
            throw ConfigurationError(key: "user", "needs a short name without '@' and '!'")
        }
        return user
    }

    // MARK: - Texts

    private static let wordRule =
        "takes a word of 1 to 200 bytes, without blank, comma or control character, and no colon at the start"

    private func word(_ key: String) throws(ConfigurationError) -> String {
        let text = try values.text(key)
        guard Self.isWord(text) else { throw ConfigurationError(key: key, Self.wordRule) }
        return text
    }

    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 200 && text.utf8.first != UInt8(ascii: ":")
            && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ",") }
    }

    private func line(_ key: String) throws(ConfigurationError) -> String {
        let text = try values.text(key)
        guard text.utf8.count <= 120, text.utf8.allSatisfy({ $0 >= 0x20 }) else {
            throw ConfigurationError(key: key, "takes one line of at most 120 bytes")
        }
        return text
    }

    /// What never leaves the machine needs no encryption.
    private static func isLoopback(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isAddress = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        return isAddress || host == "::1" || host.lowercased() == "localhost"
    }

    private static func unencrypted(_ key: String) -> ConfigurationError {
        ConfigurationError(key: key, "would be sent unencrypted: leave 'tls' at true")
    }
}

extension AdapterConfiguration {
    fileprivate func optionalText(_ key: String) throws(ConfigurationError) -> String? {
        has(key) ? try text(key) : nil
    }
}
