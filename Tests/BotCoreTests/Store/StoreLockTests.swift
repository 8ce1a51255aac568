import BotTestSupport
import Glibc
import Testing

@testable import BotCore

@Suite struct StoreLockTests {
    private let temporary: TemporaryDirectory
    private var directory: StateDirectory { StateDirectory(temporary.path) }

    init() throws {
        temporary = try TemporaryDirectory()
    }

    @Test func `the second one is told which process holds it`() throws {
        let lock = try StoreLock(directory)
        #expect {
            _ = try StoreLock(directory)
        } throws: {
            "\($0)".hasPrefix("\(directory.path) is in use by process \(getpid()) on ")
        }
        withExtendedLifetime(lock) {}
    }

    @Test func `it is free again when its holder is gone, whatever the file says`() throws {
        do { _ = try StoreLock(directory) }
        try temporary.write("process 1 on elsewhere, a name much longer than the next one's\n", to: "zimmer-bot.lock")
        let lock = try StoreLock(directory)
        #expect(try readFile(directory.lockPath).count { $0 == UInt8(ascii: "\n") } == 1)
        withExtendedLifetime(lock) {}
    }

    @Test func `a holder's text that is not plain is not repeated`() throws {
        let lock = try StoreLock(directory)
        try temporary.write("\u{1B}[2J\n", to: "zimmer-bot.lock")
        #expect {
            _ = try StoreLock(directory)
        } throws: {
            "\($0)".contains("in use by another process")
        }
        withExtendedLifetime(lock) {}
    }

    @Test func `a directory that is not there is an error of its own`() {
        #expect {
            _ = try StoreLock(StateDirectory(temporary.path("no")))
        } throws: {
            if case .failed = $0 as? StoreLockError { true } else { false }
        }
    }
}
