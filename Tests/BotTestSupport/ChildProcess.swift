import Foundation
import Glibc
import Synchronization

/// A program running as a child of the test, for what only a process shows: signals, exit status, `kill -9`.
///
/// Nothing here blocks a thread of the concurrency pool. What is still running when the test lets go of it is killed.
package final class ChildProcess: Sendable {
    package enum ExitStatus: Hashable, Sendable {
        case exited(Int32)
        case signalled(Int32)
    }

    /// What a program that has ended left behind.
    package struct Result: Sendable {
        package let status: ExitStatus
        package let standardOutput: String
        package let standardError: String
    }

    package let processID: Int32
    private let output: ChildOutput
    private let errors: ChildOutput
    private let ending = Promise<ExitStatus>()
    /// Where a person types, while one does.
    private let typing: Mutex<Int32?>
    /// Lives as long as this.
    private let companion: (any AnyObject & Sendable)?

    /// The `zimmer-bot` that was built with the tests: it lies beside the test program.
    package static var zimmerBot: String {
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: tests ?? "/").deletingLastPathComponent().appending(path: "zimmer-bot").path
    }

    /// Starts a program.
    /// - Parameters:
    ///   - environment: all of it; by default the test's own.
    ///   - input: what it finds on standard input; nil for a person who answers: see `enter`.
    ///   - companion: kept as long as the program may run: servers that it talks to, whose ports others could get.
    package init(
        _ arguments: [String], program: String = ChildProcess.zimmerBot, environment: [String: String]? = nil,
        input: String? = "", companion: (any AnyObject & Sendable)? = nil
    ) throws {
        self.companion = companion
        let environment = environment ?? ProcessInfo.processInfo.environment
        let spawned = try SpawnedProcess.start([program] + arguments, environment: environment) { [ending] status in
            ending.keep(status)
        }
        processID = spawned.id
        output = ChildOutput(reading: spawned.output)
        errors = ChildOutput(reading: spawned.errors)
        typing = Mutex(input == nil ? spawned.input : nil)
        if let input { Self.write(input, to: spawned.input) }
    }

    deinit {
        if let descriptor = typing.withLock({ $0 }) { close(descriptor) }
        killAtOnce()
    }

    /// Runs a program to its end.
    package static func run(
        _ arguments: [String], environment: [String: String]? = nil, input: String = ""
    ) async throws -> Result {
        let child = try ChildProcess(arguments, environment: environment, input: input)
        return await child.result()
    }

    /// Types a line. Short ones only: a pipe that is full would be waited for.
    package func enter(_ line: String) {
        Glibc.signal(SIGPIPE, SIG_IGN)
        typing.withLock { descriptor in
            guard let descriptor else { return }
            let bytes = Array("\(line)\n".utf8)
            _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        }
    }

    /// Types no more.
    package func endInput() {
        typing.withLock { descriptor in
            if let open = descriptor { close(open) }
            descriptor = nil
        }
    }

    /// The lines of standard output as they come, for one reader.
    package var lines: AsyncStream<String> { output.lines }

    /// The lines of standard error as they come, for one reader.
    package var errorLines: AsyncStream<String> { errors.lines }

    /// Does nothing when it has ended: its number may be another's by then.
    package func signal(_ number: Int32) {
        if ending.value == nil { Glibc.kill(processID, number) }
    }

    /// Ends it as a power cut would: `kill -9`.
    package func killAtOnce() {
        signal(SIGKILL)
    }

    /// Waits for the end. A test that is out of time takes the program with it.
    @discardableResult
    package func exitStatus() async -> ExitStatus {
        await withTaskCancellationHandler {
            await ending.wait()
        } onCancel: {
            killAtOnce()
        }
    }

    /// Waits for the end, and for everything that was written.
    package func result() async -> Result {
        let status = await exitStatus()
        return Result(
            status: status, standardOutput: await output.wholeText.wait(), standardError: await errors.wholeText.wait())
    }

    /// On a thread of its own: the program may be slow to read.
    private static func write(_ text: String, to descriptor: Int32) {
        Glibc.signal(SIGPIPE, SIG_IGN)
        Thread.detachNewThread {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                guard count >= 0 || errno == EINTR else { break }
                rest = rest.dropFirst(max(0, count))
            }
            close(descriptor)
        }
    }
}

/// What a child writes to one pipe: lines as they come, and in the end the whole text.
private final class ChildOutput: Sendable {
    let lines: AsyncStream<String>
    let wholeText = Promise<String>()

    init(reading descriptor: Int32) {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        Thread.detachNewThread { [wholeText] in
            var text: [UInt8] = []
            var line: [UInt8] = []
            while case let bytes = Self.read(from: descriptor), !bytes.isEmpty {
                text += bytes
                for byte in bytes {
                    if byte != UInt8(ascii: "\n") {
                        line.append(byte)
                        continue
                    }
                    continuation.yield(String(decoding: line, as: UTF8.self))
                    line = []
                }
            }
            if !line.isEmpty { continuation.yield(String(decoding: line, as: UTF8.self)) }
            continuation.finish()
            wholeText.keep(String(decoding: text, as: UTF8.self))
            close(descriptor)
        }
    }

    /// What is there, as soon as something is; nothing at the end.
    private static func read(from descriptor: Int32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            var result: Int
            repeat {
                result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            } while result < 0 && errno == EINTR
            count = max(0, result)
        }
    }
}

/// A value that comes once and is waited for by any number of tasks.
private final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: [CheckedContinuation<Value, Never>] = []
    }
    private let state = Mutex(State())

    var value: Value? { state.withLock { $0.value } }

    func keep(_ value: Value) {
        let waiting = state.withLock { state in
            state.value = value
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    func wait() async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state in
                if state.value == nil { state.waiting.append(continuation) }
                return state.value
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
