import BotTestSupport
import CEL
import Foundation
import Glibc
import Testing

@testable import BotCore

@Suite struct SignInStoreTests {
    private let directory: TemporaryDirectory
    private let store: SignInStore

    init() throws {
        directory = try TemporaryDirectory(inMemory: true)
        store = SignInStore(StateDirectory(directory.path))
    }

    private static func record(_ state: SignInRecord.State? = nil) -> SignInRecord {
        let pair = TokenPair(
            access: AccessToken(secret: APIKey("zmr_oat_hunter2")), expiresAt: Fixture.now + .milliseconds(1_500),
            refresh: RefreshToken(secret: APIKey("zmr_ort_hunter3")), level: .acting)
        return SignInRecord(
            client: .zimmerIOS, server: "https://zimmer.example.com", signedInAt: Fixture.now,
            state: state ?? .active(pair, doubtedSince: nil))
    }

    private static let records: [SignInRecord] = [
        record(), record(.ended(reason: "invalid_grant: \"so\" it is\u{7}", at: Fixture.now)),
        {
            guard let pair = record().pair else { return record() }
            return record(.active(pair, doubtedSince: Fixture.now + .nanoseconds(1)))
        }(),
        SignInRecord(
            client: .registered("zmc_1"), server: "http://[::1]:3000", signedInAt: Fixture.now,
            state: record().state),
    ]

    @Test(arguments: records)
    func `what was saved is there again, for its owner alone`(record: SignInRecord) throws {
        #expect(try store.load() == nil)
        try store.save(Self.record())
        try store.save(record)
        #expect(try store.load() == record)
        #expect(mode(of: store.path) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["sign-in.json"])
        try store.remove()
        #expect(try store.load() == nil)
        try store.remove()
    }

    @Test func `what a crash left behind is in nobody's way`() throws {
        try store.save(Self.record())
        try directory.write("half a rec", to: "sign-in.json.new")
        #expect(try store.load() == Self.record())
        try store.save(Self.records[1])
        #expect(try store.load() == Self.records[1])
        try directory.write("half a rec", to: "sign-in.json.new")
        try store.remove()
        #expect(!directory.exists("sign-in.json.new"))
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o660, 0o601] as [mode_t])
    func `a file that others can touch is not used`(mode: mode_t) throws {
        try store.save(Self.record())
        chmod(store.path, mode)
        let error = #expect(throws: SignInStoreError.self) { try store.load() }
        #expect(error?.description.contains("zimmer-bot login") == true)
    }

    @Test func `a file of another user is not used`() throws {
        guard geteuid() == 0 else { return }
        try store.save(Self.record())
        chown(store.path, 65_534, 65_534)
        #expect(throws: SignInStoreError.self) { try store.load() }
    }

    @Test func `a link, a folder and a pipe are no sign-in`() throws {
        try store.save(Self.record())
        rename(store.path, directory.path("elsewhere.json"))
        symlink(directory.path("elsewhere.json"), store.path)
        #expect(throws: SignInStoreError.self) { try store.load() }
        unlink(store.path)
        mkfifo(store.path, 0o600)
        #expect(throws: SignInStoreError.damaged(store.path)) { try store.load() }
        unlink(store.path)
        mkdir(store.path, 0o700)
        #expect(throws: SignInStoreError.self) { try store.load() }
    }

    /// Every way to cut the file short, and every byte of it changed: never a trap, and never another sign-in.
    @Test func `a file that is not whole is damaged, and says what to do`() throws {
        try store.save(Self.record())
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: store.path)))
        for length in 0..<bytes.count {
            try directory.write(Array(bytes[..<length]), to: "sign-in.json")
            #expect(throws: SignInStoreError.damaged(store.path)) { try store.load() }
        }
        for index in bytes.indices {
            var changed = bytes
            changed[index] = UInt8(ascii: "\u{1}")
            try directory.write(changed, to: "sign-in.json")
            #expect(throws: SignInStoreError.damaged(store.path)) { try store.load() }
        }
        #expect(SignInStoreError.damaged("x").description.contains("move it away and sign in again"))
    }

    @Test(arguments: [
        ("\"version\":1", "\"version\":2"), ("\"client\":\"zimmer-ios\"", "\"client\":\"other\""),
        ("\"level\":\"acting\"", "\"level\":\"god\""), ("\"level\"", "\"doubted_since\":\"soon\",\"level\""),
        ("zmr_oat_hunter2", "zmr oat"), ("zmr_ort_hunter3", ""),
    ])
    func `what this version does not know is not guessed at`(from: String, to: String) throws {
        try store.save(Self.record())
        let text = try String(contentsOfFile: store.path, encoding: .utf8)
        #expect(text.contains(from))
        try directory.write(text.replacing(from, with: to), to: "sign-in.json")
        #expect(throws: SignInStoreError.damaged(store.path)) { try store.load() }
    }

    @Test func `a huge file is not read to its end`() throws {
        try directory.write([UInt8](repeating: UInt8(ascii: " "), count: 10 << 20), to: "sign-in.json")
        chmod(store.path, 0o600)
        #expect(throws: SignInStoreError.damaged(store.path)) { try store.load() }
    }

    @Test func `a folder that is read only leaves the sign-in as it was`() throws {
        try store.save(Self.record())
        chown(store.path, geteuid(), getegid())
        try withoutWritePermission(directory.path) {
            #expect(throws: SignInStoreError.self) { try store.save(Self.records[1]) }
        }
        #expect(try store.load() == Self.record())
    }

    @Test func `nothing that holds a token prints it`() {
        let record = Self.record()
        var dumped = ""
        dump(record, to: &dumped)
        dump(record.pair, to: &dumped)
        let texts = [dumped, "\(record)", String(reflecting: record), "\(record.pair as Any)"]
        #expect(texts.allSatisfy { !$0.contains("hunter") && $0.contains("<redacted>") })
        let question = AuthorizationRequest(.zimmerIOS, issuer: "https://zimmer.example.com")
        var printed = ""
        dump(question, to: &printed)
        #expect(printed.contains("<redacted>"))
    }
}
