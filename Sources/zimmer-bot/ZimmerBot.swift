import CEL
import Foundation
import Glibc

// Start here: `BotProgram` is the whole program as a function, `Commands/CommandRegistry.swift` lists what it can do.

@main
enum ZimmerBot {
    static func main() async {
        // A reader that has gone away, `zimmer-bot log | head`, is then an error of the write.
        signal(SIGPIPE, SIG_IGN)
        let program = BotProgram(
            environment: ProcessInfo.processInfo.environment, output: .standard, now: { systemTime() })
        let code = await program.run(Array(CommandLine.arguments.dropFirst()))
        exit(code.rawValue)
    }

    private static func systemTime() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
    }
}
