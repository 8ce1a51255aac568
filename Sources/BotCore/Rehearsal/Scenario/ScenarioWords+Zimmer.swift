package import Rules

extension ScenarioWords {
    /// What a test can say about Zimmer.
    package static let zimmer = ScenarioWords(
        .zimmer,
        readers: ["session": "board"],
        unread: ["zimmer", "channel"],
        elapsed: ["session": ["idle": "touched_at", "age": "created_at"]],
        derived: [
            "pr": ["authorization": "write 'authorized' and 'authorized_at'"],
            "zimmer": [
                "last_read_at": "the polls say when that was", "stale_for": "the polls say for how long",
                "server_time_skew": "a test has one clock",
            ],
        ])
}
