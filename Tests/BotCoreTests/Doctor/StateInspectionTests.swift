import BotTestSupport
import Foundation
import Glibc
import Rules
import Testing

@testable import BotCore

@Suite struct StateInspectionTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func found(_ path: String) -> [Finding] {
        StateInspection(StateDirectory(path), store: StoreSettings()).findings
    }

    @Test func `a state directory that is open to others, or is none, is said`() throws {
        let path = folder.path("state")
        try StateDirectory(path).create()
        #expect(found(path).allSatisfy { $0.grade != .problem && $0.grade != .warning })
        #expect(found(path).contains { $0.text == "no bot runs on it" })
        #expect(chmod(path, 0o755) == 0)
        #expect(found(path).contains { $0.grade == .warning && $0.advice == "chmod 700 \(path)" })
        try folder.write("x", to: "file")
        #expect(found(folder.path("file")).map(\.grade) == [.problem])
    }

    @Test(arguments: ["state", "a/b/c", "a//b/", "./a/../state"])
    func `one that can be made is a note, and is not made`(name: String) {
        let path = folder.path(name)
        #expect(found(path).first?.grade == .note)
        #expect(found(path).first?.text.contains("is not there yet") == true)
        #expect(found(path).contains { $0.text.contains("free on its disk") })
        #expect(!found(path).contains { $0.grade == .problem })
        #expect((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) == [])
    }

    @Test func `one below a file or a broken link cannot be made`() throws {
        try folder.write("x", to: "file")
        #expect(symlink(folder.path("nowhere"), folder.path("link")) == 0)
        for name in ["file/state", "file/a/b"] {
            let file = found(folder.path(name))
            #expect(file.map(\.grade) == [.problem])
            #expect(file.first?.text.hasSuffix("cannot be made: \(folder.path("file")) is no directory") == true)
            #expect(throws: StateDirectoryError.self) { try StateDirectory(folder.path(name)).create() }
        }
        for name in ["link", "link/state"] {
            let link = found(folder.path(name))
            #expect(link.map(\.grade) == [.problem])
            #expect(
                link.first?.text.contains("\(folder.path("link")) is a link to something that is not there") == true)
            #expect(throws: StateDirectoryError.self) { try StateDirectory(folder.path(name)).create() }
        }
    }

    @Test(arguments: ["/proc/x", "/proc/self/x/y", "/sys/x"])
    func `one among what shows the kernel cannot be made`(path: String) {
        #expect(found(path).map(\.grade) == [.problem])
        #expect(found(path).first?.text.hasPrefix("\(path) cannot be made: ") == true)
        #expect(found(path).first?.advice?.contains("--state") == true)
        #expect(throws: StateDirectoryError.self) { try StateDirectory(path).create() }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func `one in a directory of somebody else cannot be made`() {
        let found = found("/root-of-nobody/state")
        #expect(found.map(\.grade) == [.problem])
        #expect(found.first?.text.contains("nothing can be written in /") == true)
        #expect(found.first?.text.contains("it belongs to user 0") == true)
    }

    @Test func `a path that leads in circles, or is too long, is a problem`() {
        #expect(symlink(folder.path("loop"), folder.path("loop")) == 0)
        #expect(found(folder.path("loop/state")).map(\.grade) == [.problem])
        #expect(found(folder.path(String(repeating: "x", count: 300))).map(\.grade) == [.problem])
    }

    @Test func `who runs on a state directory is seen without a lock of one's own`() throws {
        let directory = StateDirectory(folder.path("state"))
        try directory.create()
        #expect(StoreLock.holder(of: directory) == .nobody)
        let lock = try StoreLock(directory)
        guard case .process(let name) = StoreLock.holder(of: directory) else {
            Issue.record("nobody was seen")
            return
        }
        #expect(name.hasPrefix("process "))
        withExtendedLifetime(lock) {}
    }
}
