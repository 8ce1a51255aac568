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
        /// The names of those that a file writes: they are taken as written, the others may grow while nothing moves.
        package var written: Set<String> = []

        package init() {}
    }

    /// The sign-in of a person, for acts that are a person's own.
    package struct SignIn: Hashable, Sendable {
        /// `zimmer-ios`, or the id of a registered client.
        package var client: String
        /// Who may confirm such acts, as the channels name them.
        package var person: String

        package init(client: String, person: String) {
            self.client = client
            self.person = person
        }
    }

    /// `heartbeat`: who waits for a sign of life, and how often it is given.
    package struct Heartbeat: Hashable, Sendable {
        package var url: SecretReference
        package var interval: Duration = .seconds(60)
    }

    package var url: String
    /// Where people open Zimmer; `url` unless the file says otherwise.
    package var webURL: String
    package var apiKey: SecretReference
    package var polling = Polling()
    package var limit = ServerLimit()
    /// Words of steps; nil allows what the rules name.
    package var allow: Set<String>?
    /// For a gate in front of Zimmer.
    package var edgeToken: SecretReference?
    /// Nil unless somebody has decided that the bot may act as a person.
    package var signIn: SignIn?
    /// Opens Zimmer's Quick Router and nothing else. No step of this version uses it.
    package var quickRouterKey: SecretReference?
    /// Certificates to trust, a path relative to the rules file.
    package var caFile: String?
    package var heartbeat: Heartbeat?

    package init(url: String, webURL: String? = nil, apiKey: SecretReference) {
        self.url = url
        self.webURL = webURL ?? url
        self.apiKey = apiKey
    }

    package var secrets: [SecretReference] {
        [apiKey] + [edgeToken, quickRouterKey, heartbeat?.url].compactMap(\.self)
    }
}
