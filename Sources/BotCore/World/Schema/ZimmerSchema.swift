package import CEL
package import Rules

extension WorldSchema {
    /// How well Zimmer can be reached: the subject of `watch: zimmer`.
    package static let zimmer = ObjectType(
        "zimmer",
        [
            .init("reachable", .bool),
            .init("last_read_at", .nullable(.timestamp)),
            staleFor,
            .init("error", .nullable(.string)),
            .init("server_time_skew", .duration),
            .words("sign_in", ZimmerStanding.SignIn.allCases.map(\.rawValue)),
        ])

    static let zimmerStaleForSlot = 2

    /// Since the last whole reading; before the first one, since the start. Its own slot holds that instant.
    private static let staleFor = elapsed("stale_for", since: zimmerStaleForSlot)
}

extension Vocabulary {
    /// What a rules file can name about Zimmer.
    package static let zimmer = Vocabulary(
        watchables: [
            Watchable("session", WorldSchema.session, isCollection: true, hasSession: true),
            Watchable("health", WorldSchema.health, isCollection: false, hasSession: false),
            Watchable("costs", WorldSchema.costs, isCollection: false, hasSession: false),
            Watchable("zimmer", WorldSchema.zimmer, isCollection: false, hasSession: false),
            Watchable("channel", WorldSchema.channel, isCollection: true, hasSession: false),
        ] + ListingKind.allCases.map(\.watchable),
        // `now` first: see `WorldSchema.nowSlot`.
        variables: [
            .init("now", .timestamp),
            .init("board", .list(.object(WorldSchema.session)), maximumSize: 10_000),
            .init("health", .object(WorldSchema.health)),
            .init("costs", .object(WorldSchema.costs)),
            .init("channels", .map(.string, .object(WorldSchema.channel)), maximumSize: 100),
        ])
}
