import AdapterKit
import BotTestSupport
import Foundation
import Rules
import Testing

@testable import BotCore

@Suite struct SecretResolverTests {
    private let directory: TemporaryDirectory
    private static let position = SourcePosition(file: "rules.yaml", line: 3, column: 12)

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func resolve(_ source: SecretReference.Source, _ environment: [String: String] = [:]) throws -> String {
        try SecretResolver(environment: environment, folder: directory.path)
            .resolve(SecretReference(source, position: Self.position)).reveal()
    }

    @Test func `white space around a secret is cut off, wherever it is kept`() throws {
        try directory.write(" key\r\n", to: "key")
        #expect(try resolve(.file("key")) == "key")
        #expect(try resolve(.credential("key"), ["CREDENTIALS_DIRECTORY": directory.path]) == "key")
        #expect(try resolve(.environment("KEY"), ["KEY": "key\n"]) == "key")
    }

    @Test func `a pipe that nobody writes to is not waited for`() {
        #expect(mkfifo(directory.path("pipe"), 0o600) == 0)
        let failure = #expect(throws: SecretResolver.Failure.self) { try resolve(.file("pipe")) }
        #expect(failure?.reason.hasSuffix("/pipe is empty; put it there") == true)
    }

    @Test(arguments: ["one\ntwo", "one\u{0}two", "one\u{7F}two"])
    func `a secret of several lines is refused, and not shown`(text: String) throws {
        try directory.write(text, to: "key")
        for source in [SecretReference.Source.file("key"), .environment("KEY")] {
            let failure = #expect(throws: SecretResolver.Failure.self) { try resolve(source, ["KEY": text]) }
            let words = failure?.description ?? ""
            #expect(words.hasPrefix("rules.yaml:3:12: error: the secret in "))
            #expect(
                words.hasSuffix("KEY has a line break or a control character; it is one line of text")
                    || words.hasSuffix("/key has a line break or a control character; it is one line of text"))
            #expect(!words.contains("two"))
        }
    }

    @Test func `a file that cannot be had is named with the reason`() throws {
        try FileManager.default.createDirectory(atPath: directory.path("folder"), withIntermediateDirectories: false)
        try directory.write("", to: "empty")
        for (file, reason) in [
            ("none", "the secret's file \(directory.path("none")) cannot be read: No such file or directory"),
            ("folder", "the secret's file \(directory.path("folder")) cannot be read: Is a directory"),
            ("empty", "the secret in \(directory.path("empty")) is empty; put it there"),
        ] {
            let failure = #expect(throws: SecretResolver.Failure.self) { try resolve(.file(file)) }
            #expect(failure?.reason == reason)
        }
    }
}
