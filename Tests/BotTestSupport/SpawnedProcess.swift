import Dispatch
import Foundation
import Glibc
import Synchronization

/// A program that was started with three pipes, and nothing else of the test's that is open.
///
/// Foundation's `Process` and `FileHandle` are not up to a test program that starts many from many threads: they end it now
/// and then.
struct SpawnedProcess: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let id: Int32
    /// The test's ends of the pipes.
    let input: Int32
    let output: Int32
    let errors: Int32

    /// One at a time: until they are marked, the ends of a pipe would go to another child as well, which then keeps it open.
    private static let lock = Mutex(())

    /// The kernel kills a child when the thread that started it ends, if the child asked for that, as `setpriv` does for it:
    /// a test program that crashes leaves no bots behind. So the thread that starts one also waits for its end.
    private static let guardian = ["/usr/bin/setpriv", "--pdeathsig", "KILL", "--"]

    /// - Parameter ended: called once, on a thread of its own.
    static func start(
        _ arguments: [String], environment: [String: String],
        ended: @escaping @Sendable (ChildProcess.ExitStatus) -> Void
    ) throws -> Self {
        let isGuarded = access(guardian[0], X_OK) == 0
        let outcome = Mutex<Result<Self, any Error>>(.failure(Failure(description: "not started")))
        let isStarted = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let result = Result {
                try lock.withLock { _ in try spawn((isGuarded ? guardian : []) + arguments, environment) }
            }
            outcome.withLock { $0 = result }
            isStarted.signal()
            if case .success(let process) = result { ended(process.wait()) }
        }
        isStarted.wait()
        return try outcome.withLock { $0 }.get()
    }

    private init(id: Int32, input: Int32, output: Int32, errors: Int32) {
        (self.id, self.input, self.output, self.errors) = (id, input, output, errors)
    }

    private static func spawn(_ arguments: [String], _ environment: [String: String]) throws -> Self {
        let (input, output, errors) = (try Pipe(), try Pipe(), try Pipe())
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.reading, 0)
        posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
        for descriptor in try openDescriptors() where descriptor > 2 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        let program = arguments.first ?? ""
        var id: pid_t = 0
        let result = withDefaultSignals { attributes in
            withStrings(arguments) { arguments in
                withStrings(environment.map { "\($0)=\($1)" }) { environment in
                    posix_spawn(&id, program, &actions, attributes, arguments, environment)
                }
            }
        }
        for descriptor in [input.reading, output.writing, errors.writing] { close(descriptor) }
        guard result == 0 else {
            for descriptor in [input.writing, output.reading, errors.reading] { close(descriptor) }
            throw Failure(description: "cannot start \(program): \(String(cString: strerror(result)))")
        }
        return Self(id: id, input: input.writing, output: output.reading, errors: errors.reading)
    }

    /// Blocks until it has ended.
    private func wait() -> ChildProcess.ExitStatus {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
    }

    // MARK: - For the call

    private struct Pipe {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { throw Failure(description: "no pipe: \(String(cString: strerror(errno)))") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (reading, writing) = (ends[0], ends[1])
        }
    }

    private static func openDescriptors() throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
    }

    /// Nothing blocked or ignored, whatever the test program does with signals.
    private static func withDefaultSignals<Result>(_ body: (UnsafePointer<posix_spawnattr_t>) -> Result) -> Result {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return body(&attributes)
    }

    /// C strings, ended by null.
    private static func withStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
