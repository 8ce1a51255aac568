import AdapterKit
import BotCore
import Foundation
import Synchronization

/// Puts a changed rules file in force, when told to and when the file changes. A bad file leaves the old rules running.
final class ConfigurationWatcher: Service {
    let name = "rules file"
    private let configuration: Configuration
    private let environment: BotEnvironment
    private let bot: Bot
    private let seen: Mutex<Stamp?>

    private static let interval: Duration = .seconds(2)

    /// What changes when a file does.
    private struct Stamp: Equatable {
        var modified: Date?
        var size: Int?
        var number: Int?
    }

    init(_ configuration: Configuration, _ environment: BotEnvironment, _ bot: Bot) {
        self.configuration = configuration
        self.environment = environment
        self.bot = bot
        seen = Mutex(Self.stamp(configuration.path))
    }

    func run() async throws {
        while true {
            try await ContinuousClock().sleep(for: Self.interval)
            let stamp = Self.stamp(configuration.path)
            let isChanged = seen.withLock { $0 != stamp }
            // A file that is being replaced is not there for a moment.
            if isChanged, stamp != nil { reload() }
        }
    }

    func reload() {
        seen.withLock { $0 = Self.stamp(configuration.path) }
        do {
            bot.replace(with: try configuration.assemble(try configuration.load(), environment))
            environment.log.write(.info, "the rules were read again")
        } catch {
            environment.log.write(.error, "the old rules stay in force", [("problem", "\(error)")])
        }
    }

    private static func stamp(_ path: String) -> Stamp? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        return Stamp(
            modified: attributes[.modificationDate] as? Date, size: (attributes[.size] as? NSNumber)?.intValue,
            number: (attributes[.systemFileNumber] as? NSNumber)?.intValue)
    }
}
