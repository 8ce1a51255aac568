package import Rules

extension ScenarioWords {
    /// What a test can say about Zimmer.
    package static let zimmer = ScenarioWords(
        .zimmer,
        readers: ["session": "board", "notification": "inbox"],
        unread: ["zimmer", "channel"],
        elapsed: ["session": ["idle": "touched_at", "age": "created_at"]],
        derived: [
            "notification": ["session": "write 'session_id'"], "elicitation": ["session": "write 'session_id'"],
            "pr": ["authorization": "write 'authorized' and 'authorized_at'"],
            "zimmer": [
                "last_read_at": "the polls say when that was", "stale_for": "the polls say for how long",
                "server_time_skew": "a test has one clock",
            ],
        ])
}
