import BotTestSupport
import Foundation
import Testing

@testable import zimmer_bot

@Suite struct FileWatchTests {
    private let directory: TemporaryDirectory
    private let path: String
    private var watch: FileWatch<FileStamp>

    init() throws {
        directory = try TemporaryDirectory()
        path = try directory.write("rules: []", to: "rules.yaml")
        watch = FileWatch(FileStamp(path: path))
    }

    private mutating func look() -> FileWatch<FileStamp>.Finding { watch.look(FileStamp(path: path)) }

    @Test mutating func `a change counts once, when it has settled`() throws {
        #expect(look() == .nothing)
        try directory.write("rules:", to: "rules.yaml")
        #expect(look() == .nothing)
        // Half of it was there at the last look.
        try directory.write("rules: [] # more", to: "rules.yaml")
        #expect(look() == .nothing)
        #expect(look() == .changed)
        #expect(look() == .nothing)
    }

    @Test mutating func `a file that is being replaced is not gone`() throws {
        try FileManager.default.removeItem(atPath: path)
        #expect(look() == .nothing)
        try directory.write("rules: []", to: "rules.yaml")
        #expect(look() == .nothing)
        #expect(look() == .changed)
    }

    @Test mutating func `a file that stays away is gone once, and changed when it is back`() throws {
        try FileManager.default.removeItem(atPath: path)
        #expect([look(), look(), look()] == [.nothing, .gone, .nothing])
        try directory.write("rules: []", to: "rules.yaml")
        #expect([look(), look(), look()] == [.nothing, .changed, .nothing])
    }

    @Test func `what a symbolic link leads to is what is looked at`() throws {
        let link = directory.path("link.yaml")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "rules.yaml")
        let before = FileStamp(path: link)
        try directory.write("rules: [] # edited", to: "rules.yaml")
        #expect(FileStamp(path: link) != before)
    }

    @Test func `a file that may be read again has changed`() throws {
        chmod(path, 0)
        let before = FileStamp(path: path)
        chmod(path, 0o600)
        #expect(FileStamp(path: path) != before)
    }

    @Test func `neither a folder nor a pipe can be read again`() {
        #expect(FileStamp(path: directory.path("")) == nil)
        mkfifo(directory.path("pipe"), 0o600)
        #expect(FileStamp(path: directory.path("pipe")) == nil)
    }
}
