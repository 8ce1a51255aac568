/// The words of the rules file: those that this version runs, and those that the language has beyond them (`later`),
/// which are refused by name instead of being called unknown.
enum Language {
    struct Keys {
        var known: [String]
        var later: [String] = []

        var all: [String] { known + later }
    }

    static let file = Keys(
        known: ["zimmer", "channels", "defaults", "notices", "include", "vars", "store", "rules"],
        later: ["plugins", "status"])
    static let included = Keys(known: ["rules", "vars"])

    static let zimmer = Keys(
        known: [
            "url", "web_url", "api_key", "edge_token", "sign_in", "quick_router_key", "poll", "limit", "allow",
            "ca_file", "heartbeat",
        ])
    static let signIn = Keys(known: ["client", "person"])
    /// Zimmer's own app, and what the ids of registered clients begin with.
    static let firstPartyClient = "zimmer-ios"
    static let registeredClientPrefix = "zmc_"
    static let signOfLife = Keys(known: ["url", "every"])
    static let poll = Keys(
        known: ["board", "inbox", "health", "costs", "triggers", "elicitations", "backlog"])
    static let serverLimit = Keys(known: ["per_hour", "per_day"])

    static let channelKinds = ["console", "matrix", "irc", "webhook", "email", "process"]
    /// Keys that every kind of channel has.
    static let channel = Keys(known: ["quiet", "rate", "deadline", "mention", "detail"], later: ["commands"])
    static let store = Keys(known: ["keep", "max_size"])
    static let rate = Keys(known: ["burst", "per"])

    static let defaults = Keys(known: ["timezone", "mode", "limit", "existing", "quiet", "urgency"])
    static let notices = Keys(known: ["channels", "cannot_tell_after"])
    static let limit = Keys(known: ["per_poll", "per_hour", "per_subject_per_day"])
    static let costs = Keys(known: ["window", "agent_root"])

    static let rule = Keys(
        known: [
            "name", "description", "mode", "enabled", "watch", "schedule", "let", "if", "for", "key", "once",
            "existing", "do", "resolved", "limit", "group", "quiet", "timezone", "costs", "missed", "keep", "repeat",
            "suppress", "jitter", "command",
        ])
    /// Of rules that have episodes.
    static let watchKeys = ["for", "keep", "key", "repeat", "existing", "suppress", "resolved"]
    /// Of rules that watch something, in slots too.
    static let subjectKeys = ["once"]
    static let scheduleKeys = ["missed", "jitter"]
    static let repetition = Keys(known: ["every", "times"])

    static let steps = Keys(known: ["post", "wait", "reply"] + writes)
    /// Steps that change something in Zimmer, and so can be named in `zimmer.allow`.
    static let writes = [
        "follow_up", "start", "restart", "pause", "sleep", "start_now", "refresh", "archive", "unarchive", "snooze",
        "hide", "show", "set", "note", "favorite", "heartbeat", "model", "log", "push", "mark_read", "dismiss",
        "mark_all_read", "trigger", "invoke", "authorize_merge", "answer", "retry_failed", "cleanup_processes",
        "enter_recovery", "exit_recovery", "backfill_costs",
    ]
    /// Steps of rules that a person calls.
    static let commandSteps = ["reply", "unarchive"]
    /// Steps that only a person may want: one is asked each time.
    static let confirmedSteps = ["authorize_merge", "answer"]
    /// Steps that need no values.
    static let bareSteps = [
        "hide", "show", "archive", "unarchive", "restart", "pause", "sleep", "start_now", "refresh", "mark_read",
        "dismiss", "mark_all_read", "invoke", "authorize_merge", "retry_failed", "cleanup_processes", "exit_recovery",
        "backfill_costs",
    ]
    /// Of those, what takes no values at all.
    static let wordSteps = [
        "hide", "show", "unarchive", "pause", "sleep", "start_now", "refresh", "mark_all_read", "authorize_merge",
        "retry_failed", "cleanup_processes", "exit_recovery", "backfill_costs",
    ]
    /// What starts with values of `start`; names are Zimmer's.
    static let start = Keys(
        known: [
            "agent_root", "git_root", "branch", "subdirectory", "prompt", "title", "goal", "model", "effort",
            "agent_runtime", "scheduling_class", "precedence", "place", "is_autonomous", "parent_session_id",
            "mcp_servers", "catalog_skills", "catalog_hooks", "catalog_plugins",
        ])
    static let set = Keys(known: ["title", "goal", "precedence", "place", "scheduling_class"])
    static let heartbeat = Keys(known: ["enabled", "interval"])
    /// What a trigger's template can name.
    static let triggerVariables = Keys(
        known: ["link", "text", "author", "channel", "event", "repo", "number", "title", "labels"])
    static let schedulingClasses = ["priority", "spot"]
    static let places = ["top_of_spot"]
    /// Keys beside any action.
    static let stepKeys = ["if", "on_error", "confirm"]
    static let confirmation = Keys(known: ["in", "by", "within"])
    static let post = Keys(
        known: ["text", "title", "urgency", "thread", "update", "mention", "chart"])
    static let group = Keys(known: ["by", "wait", "interval"])
    static let chart = Keys(known: ["kind", "window"])
    static let urgencies = ["low", "normal", "high"]

    /// What people can say in a channel whatever the rules are.
    static let builtInCommands: Set<String> = [
        "help", "board", "next", "show", "history", "queue", "cost", "find", "reply", "note", "withdraw", "merge",
        "snooze",
        "archive", "undo", "restart", "promote", "demote", "start", "do", "health", "costs", "inbox", "agenda",
        "remind",
        "watch", "unwatch", "rules", "pause", "resume", "run", "release", "mute", "ack", "why", "held", "decisions",
        "approve", "deny", "answer",
    ]

    static let statuses = ["waiting", "running", "needs_input", "failed", "archived"]
    static let logLevels = ["info", "error", "debug", "warning", "verbose"]

    /// Words of CEL that cannot be names.
    static let expressionWords: Set<String> = [
        "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import",
        "let",
        "loop", "package", "namespace", "return", "var", "void", "while",
    ]
    /// Variables that only steps have.
    static let stepVariables: Set<String> = ["episode", "fired", "result"]

    static func notSupported(_ word: String) -> String { "'\(word)' is not supported by this version" }
}
