import AdapterKit
import AdapterKitTesting
import Testing

@testable import IRCAdapter

@Suite struct IRCContractTests {
    static let values: [String: ConfigurationValue] = [
        "server": .text("irc.example.org"), "nick": .text("bot"), "channel": .text("#ops"),
        "key": .secret(Secret("channel-key-secret")), "password": .secret(Secret("server-password-secret")),
        "sasl": .section(["account": .text("bot"), "password": .secret(Secret("sasl-password-secret"))]),
    ]
    private let contract = AdapterContract(kind: IRCKind(), values: values)

    @Test func `its schema is well formed`() {
        contract.checkSchema()
    }

    @Test func `a configuration that does not fit is refused by the key`() {
        contract.checkRefusals()
    }

    @Test func `run ends when cancelled`() async throws {
        try await contract.checkRunEnds()
    }

    @Test(arguments: ByteStreamAdapterContract.failures)
    func `without a connection a delivery waits, and nothing secret is shown`(code: ByteStreamFailure.Code) async throws
    {
        try await ByteStreamAdapterContract(contract).checkFailure(code)
    }

    @Test func `a cancelled delivery ends and has not gone`() async throws {
        try await ByteStreamAdapterContract(contract).checkCancellation()
    }

    private func make(_ changes: [String: ConfigurationValue?], kind: IRCKind = IRCKind()) throws -> any Adapter {
        var values = Self.values
        for (key, value) in changes { values[key] = value }
        return try kind.makeAdapter(
            configuration: AdapterConfiguration(schema: kind.schema, values: values), context: .testing())
    }

    @Test(arguments: [
        ("server", ConfigurationValue.text("irc://host")), ("server", .text("a b")),
        ("server", .text("irc.example.org:6697")), ("server", .text("[::1]")), ("port", .integer(0)),
        ("port", .integer(70_000)), ("nick", .text("1bot")), ("nick", .text("a b")), ("nick", .text("a\r\nQUIT")),
        ("nick", .text("")), ("channel", .text("ops")), ("channel", .text("#")), ("channel", .text("#a,#b")),
        ("channel", .text("#a b")), ("channel", .text("#a\nJOIN #b")), ("key", .secret(Secret("a b"))),
        ("key", .secret(Secret(":a"))), ("key", .secret(Secret("a,b"))), ("password", .secret(Secret("a\nb"))),
        ("realname", .text("a\r\nb")), ("user", .text("a@b")), ("user", .text("a b")), ("colors", .text("always")),
        ("sasl", .section([:])), ("sasl", .section(["account": .text("bot")])),
        ("sasl", .section(["mechanism": .text("external"), "account": .text("bot")])),
        ("sasl", .section(["mechanism": .text("scram")])),
    ])
    func `what no server could take is refused by its key`(key: String, value: ConfigurationValue) {
        let error = #expect(throws: ConfigurationError.self) { _ = try make([key: value]) }
        #expect(error?.key == key)
        if let error { #expect(!"\(error)".contains("secret")) }
    }

    @Test(arguments: ["irc.example.org", "10.0.0.1", "127.0.0.1.example.org", "localhost.example.org"])
    func `a password does not leave the machine unencrypted`(server: String) {
        let both: [String: ConfigurationValue?] = ["server": .text(server), "tls": .boolean(false)]
        #expect(throws: ConfigurationError.self) { _ = try make(both) }
        #expect(throws: ConfigurationError.self) { _ = try make(both.merging(["password": nil]) { $1 }) }
        #expect(throws: ConfigurationError.self) { _ = try make(both.merging(["sasl": nil]) { $1 }) }
        #expect(throws: Never.self) { _ = try make(both.merging(["sasl": nil, "password": nil]) { $1 }) }
    }

    @Test(arguments: ["localhost", "127.0.0.1", "::1"])
    func `to this machine it may`(server: String) {
        #expect(throws: Never.self) { _ = try make(["server": .text(server), "tls": .boolean(false)]) }
    }

    @Test func `channels of one server and nick share a connection, and have to agree about it`() throws {
        let kind = IRCKind()
        let first = try #require(try make([:], kind: kind) as? IRCAdapter)
        let second = try #require(try make(["channel": .text("#dev")], kind: kind) as? IRCAdapter)
        let other = try #require(try make(["nick": .text("other")], kind: kind) as? IRCAdapter)
        #expect(first.connection === second.connection && first.connection !== other.connection)
        #expect(first.account == second.account && first.account != other.account)
        #expect(throws: ConfigurationError.self) { _ = try make(["realname": .text("else")], kind: kind) }
        let error = #expect(throws: ConfigurationError.self) { _ = try make(["key": nil], kind: kind) }
        #expect(error?.key == "key")
    }

    @Test func `what would be sent is known without a connection`() throws {
        let adapter = try make([:])
        let long = String(repeating: "long text ", count: 300)
        let parts = adapter.render(Delivery(id: DeliveryID("dlv_1"), message: .test(long), attempt: 1))
        #expect(parts.count == 4)
        // As others get it: with the longest name that we could have.
        let name = ":bot!\(String(repeating: "u", count: 10))@\(String(repeating: "h", count: 63)) "
        for part in parts {
            #expect(part.label == "line")
            #expect(String(decoding: part.bytes, as: UTF8.self).hasPrefix("NOTICE #ops :"))
            #expect(part.bytes.count + name.utf8.count <= 512)
        }
    }

    @Test func `nothing that is printed shows a secret`() throws {
        let adapter = try #require(try make([:]) as? IRCAdapter)
        var dumped = ""
        dump(adapter.connection.settings, to: &dumped)
        dumped += "\(adapter) \(adapter.account)"
        #expect(!dumped.contains("secret"))
    }
}
