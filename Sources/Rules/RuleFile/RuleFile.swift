package import CEL

/// A rules file, loaded and checked: everything it says, with defaults filled in.
package struct RuleFile: Sendable {
    /// The path as it was given; positions carry it too.
    package var name: String
    /// Nil where the file leaves it out: enough to check and test rules, not to run them.
    package var zimmer: ZimmerSettings?
    package var channels: [ChannelSettings]
    package var notices: NoticeSettings?
    package var rules: [Rule]
    /// `vars`, as the rules see them.
    package var constants: Object
    /// `defaults.timezone`.
    package var timeZone: String
    package var store = StoreSettings()

    package func channel(_ name: String) -> ChannelSettings? {
        channels.first { $0.name == name }
    }

    /// Every secret that the file refers to, in the order of the file.
    package var secrets: [SecretReference] {
        (zimmer?.secrets ?? []) + channels.flatMap(\.secrets)
    }
}
