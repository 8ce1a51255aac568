import CEL

extension RuleFileLoader {
    func store(_ entry: YAMLEntry) -> StoreSettings {
        var settings = StoreSettings()
        guard let fields = Fields(entry.value, of: "'store'", Language.store, report) else { return settings }
        // Longer than that no other part of the past is kept with which it could be compared.
        let keep = fields["keep"].flatMap {
            report.duration($0, atLeast: .seconds(3_600), atMost: .seconds(90 * 86_400))
        }
        if let keep { settings.keep = keep }
        if let size = fields["max_size"].flatMap(self.size) { settings.maximumSize = size }
        return settings
    }

    private static let smallest: Int64 = 10_000_000
    private static let largest: Int64 = 1_000_000_000_000

    private static let units: [(String, Int64)] = [
        ("KB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000), ("KiB", 1 << 10),
        ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
    ]

    private func size(_ entry: YAMLEntry) -> Int64? {
        guard let text = report.word(entry, "a size such as 500MB") else { return nil }
        let number = text.prefix { ("0"..."9").contains($0) }
        let unit = Self.units.first { $0.0 == text.dropFirst(number.count) }
        guard let unit, let count = Int(digits: number).flatMap(Int64.init(exactly:)) else {
            report.error(
                "'\(entry.key)': '\(text)' is no size: write a whole number and a unit, such as 500MB, 1GB or 2GiB",
                at: entry.value.range)
            return nil
        }
        let (bytes, isTooMuch) = count.multipliedReportingOverflow(by: unit.1)
        guard !isTooMuch, (Self.smallest...Self.largest).contains(bytes) else {
            report.error("'\(entry.key)' takes 10MB to 1TB, not \(text)", at: entry.value.range)
            return nil
        }
        return bytes
    }
}
