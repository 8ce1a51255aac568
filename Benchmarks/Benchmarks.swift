import BotCore
import Foundation

// Start here.
//
// `make bench` measures what the bot costs: polls of boards of two sizes under a hundred rules (`BoardBenchmark`), its
// memory, and evaluations of typical conditions (`ConditionBenchmark`), how long a message takes to leave
// (`ChannelBenchmark`), and what a month of recorded polls takes (`HistoryBenchmark`). The bot that is measured is a
// process of its own (`BotProcess`), on one processor; the Zimmer that it reads is `DemoServer`, over real HTTP.

@main
enum Benchmarks {
    private static let boards = [1_000, 10_000]

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("benchmark: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        Heap.share()
        if arguments.first == BotProcess.word { return try await BotProcess.run(Array(arguments.dropFirst())) }
        if arguments == ["--conditions-data"] { return print(try await ConditionBenchmark.data()) }
        guard Set(arguments).isSubset(of: ["--boards", "--conditions", "--channels", "--history", "--json"]) else {
            throw BenchmarkFailure(
                "usage: Benchmarks [--boards] [--conditions] [--channels] [--history] [--json] | --conditions-data")
        }
        let isAll = Set(arguments).isSubset(of: ["--json"])
        func isWanted(_ option: String) -> Bool { isAll || arguments.contains(option) }
        let report = Report(
            rules: BenchmarkRules.count,
            boards: isWanted("--boards") ? try boards.map { try BoardBenchmark(sessions: $0) } : [],
            conditions: isWanted("--conditions") ? try await ConditionBenchmark.all() : [],
            channels: isWanted("--channels") ? try await ChannelBenchmark.all() : [],
            history: isWanted("--history") ? try await HistoryBenchmark() : nil)
        print(arguments.contains("--json") ? try report.json : report.table)
    }
}
