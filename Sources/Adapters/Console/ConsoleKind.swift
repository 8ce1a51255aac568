package import AdapterKit

/// `adapter: console`: messages on standard output, for `demo` and for trying rules out.
package struct ConsoleKind: AdapterKind {
    package let name = "console"
    package let schema = ConfigurationSchema([
        ConfigurationKey(
            "color", .choice(["auto", "always", "never"]), default: .text("auto"),
            "Whether to use colour; auto does on a terminal.")
    ])

    private let usesColorOnAuto: Bool
    private let output: @Sendable (String) throws -> Void

    /// - Parameters:
    ///   - usesColorOnAuto: What `color: auto` means; the command line knows whether it writes to a terminal.
    ///   - output: Takes a whole message, newline included.
    package init(usesColorOnAuto: Bool, output: @escaping @Sendable (String) throws -> Void) {
        self.usesColorOnAuto = usesColorOnAuto
        self.output = output
    }

    package func makeAdapter(
        configuration: AdapterConfiguration, context: AdapterContext
    ) throws(ConfigurationError) -> any Adapter {
        let color = try configuration.text("color")
        return ConsoleAdapter(
            usesColor: color == "always" || color == "auto" && usesColorOnAuto, output: output)
    }
}
