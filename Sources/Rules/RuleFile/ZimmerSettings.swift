/// `zimmer:`: which Zimmer to read, how often, and what the rules may do there.
package struct ZimmerSettings: Sendable {
    /// The intervals of `poll`, with the defaults of the language.
    package struct Polling: Hashable, Sendable {
        package var board: Duration = .seconds(30)
        package var inbox: Duration = .seconds(60)
        package var health: Duration = .seconds(120)
        package var costs: Duration = .seconds(900)
        package var triggers: Duration = .seconds(300)
        package var elicitations: Duration = .seconds(60)
        package var backlog: Duration = .seconds(900)

        package init() {}
    }

    package var url: String
    /// Where people open Zimmer; `url` unless the file says otherwise.
    package var webURL: String
    package var apiKey: SecretReference
    package var polling = Polling()
    package var limit = ServerLimit()
    /// Words of steps; nil allows what the rules name.
    package var allow: Set<String>?
    /// Certificates to trust, a path relative to the rules file.
    package var caFile: String?

    package init(url: String, webURL: String? = nil, apiKey: SecretReference) {
        self.url = url
        self.webURL = webURL ?? url
        self.apiKey = apiKey
    }
}
