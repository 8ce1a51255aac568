package import AdapterKit

extension Bell {
    /// As `wait`, but at most for so long on the bot's clock; nil: for as long as it takes.
    package func wait(atMost duration: Duration?, _ clock: any BotClock) async {
        guard let duration else { return await wait() }
        await wait(atMost: duration, AdapterTime(clock))
    }
}
