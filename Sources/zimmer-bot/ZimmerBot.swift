import BotCore
import Foundation
import Glibc

// Start here: `BotProgram` is the whole program as a function, `Commands/CommandRegistry.swift` lists what it can do.

@main
enum ZimmerBot {
    static func main() async {
        Heap.share()
        StandardDescriptors.hold()
        // A reader that has gone away, `zimmer-bot log | head`, is then an error of the write.
        signal(SIGPIPE, SIG_IGN)
        let program = BotProgram(
            environment: ProcessInfo.processInfo.environment, output: .standard, now: { SystemClock().now() })
        let code = await program.run(Array(CommandLine.arguments.dropFirst()))
        exit(code.rawValue)
    }
}
