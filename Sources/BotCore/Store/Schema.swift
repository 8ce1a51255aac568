/// The tables of the store, as numbered steps: a step that was released is never edited.
///
/// Times are microseconds since 1970 (UTC), texts that hold structure are JSON. Rows of `episodes` and `runs` are the
/// memory of the rules, `actions` and `outbox` are the ledger of what was asked of Zimmer and of channels, and `audit` says
/// why.
enum Schema {
    static let migrations = [version1, version2, version3, version4, version5, version6]

    private static let version1 = """
        CREATE TABLE meta (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- What is remembered of a rule as a whole.
        CREATE TABLE rules (
            name TEXT PRIMARY KEY,
            meaning TEXT NOT NULL,
            is_new INTEGER NOT NULL,
            awaits_release INTEGER NOT NULL,
            next_slot INTEGER,
            paused_until INTEGER,
            seen_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Subjects for which a rule's condition holds: pending, active or (later) keeping.
        CREATE TABLE episodes (
            rule TEXT NOT NULL,
            subject_type TEXT NOT NULL,
            subject_id TEXT NOT NULL,
            key TEXT NOT NULL,
            phase TEXT NOT NULL,
            since INTEGER NOT NULL,
            frozen_since INTEGER,
            active_since INTEGER,
            number INTEGER NOT NULL,
            standing TEXT NOT NULL,
            hold TEXT,
            is_resetting INTEGER NOT NULL,
            repeats INTEGER NOT NULL DEFAULT 0,
            acked_by TEXT,
            fired BLOB,
            PRIMARY KEY (rule, subject_type, subject_id)
        ) STRICT, WITHOUT ROWID;

        -- One execution of `do`, `resolved` or a slot. The unique key is what makes it happen once.
        CREATE TABLE runs (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            rule TEXT NOT NULL,
            subject_type TEXT NOT NULL,
            subject_id TEXT NOT NULL,
            key TEXT NOT NULL,
            episode INTEGER NOT NULL,
            part TEXT NOT NULL,
            step INTEGER NOT NULL,
            state TEXT NOT NULL,
            reason TEXT,
            wait_until INTEGER,
            started_at INTEGER NOT NULL,
            step_since INTEGER NOT NULL,
            has_written INTEGER NOT NULL,
            cost INTEGER NOT NULL,
            once TEXT,
            anchor TEXT,
            UNIQUE (rule, subject_type, subject_id, key, episode, part)
        ) STRICT;
        CREATE INDEX runs_unfinished ON runs (state) WHERE state IN ('waiting', 'writing');
        CREATE INDEX runs_recent ON runs (started_at);

        CREATE TABLE once (
            rule TEXT NOT NULL,
            subject_type TEXT NOT NULL,
            subject_id TEXT NOT NULL,
            value TEXT NOT NULL,
            used_at INTEGER NOT NULL,
            PRIMARY KEY (rule, subject_type, subject_id, value)
        ) STRICT, WITHOUT ROWID;

        -- The highest episode number that ever ran: numbers never come back.
        CREATE TABLE numbers (
            rule TEXT NOT NULL,
            subject_type TEXT NOT NULL,
            subject_id TEXT NOT NULL,
            number INTEGER NOT NULL,
            PRIMARY KEY (rule, subject_type, subject_id)
        ) STRICT, WITHOUT ROWID;

        -- Calls that change something in Zimmer: the intent is committed before the call, the outcome after it.
        CREATE TABLE actions (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            run INTEGER NOT NULL REFERENCES runs (id),
            step INTEGER NOT NULL,
            kind TEXT NOT NULL,
            session INTEGER NOT NULL,
            request TEXT NOT NULL,
            state TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            not_before INTEGER,
            detail TEXT,
            intended_at INTEGER NOT NULL,
            ended_at INTEGER,
            UNIQUE (run, step)
        ) STRICT;
        CREATE INDEX actions_open ON actions (state) WHERE state IN ('attempting', 'retrying');

        -- Messages, one row per channel. `id` is what the other side sees on every try.
        CREATE TABLE outbox (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            run INTEGER REFERENCES runs (id),
            step INTEGER,
            rule TEXT,
            channel TEXT NOT NULL,
            kind TEXT NOT NULL,
            urgency TEXT NOT NULL,
            message TEXT NOT NULL,
            state TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            not_before INTEGER,
            reason TEXT,
            receipt TEXT,
            created_at INTEGER NOT NULL,
            ended_at INTEGER
        ) STRICT;
        CREATE INDEX outbox_waiting ON outbox (channel, position) WHERE state = 'waiting';

        CREATE TABLE audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            kind TEXT NOT NULL,
            rule TEXT,
            subject_type TEXT,
            subject_id TEXT,
            episode INTEGER,
            detail TEXT NOT NULL,
            evidence TEXT
        ) STRICT;
        CREATE INDEX audit_time ON audit (at);
        CREATE INDEX audit_rule ON audit (rule, id);

        -- The latest whole readings, object by object, and what the bot itself observed of a session.
        CREATE TABLE readings (
            type TEXT NOT NULL,
            id TEXT NOT NULL,
            body BLOB NOT NULL,
            PRIMARY KEY (type, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE tracked (
            session INTEGER PRIMARY KEY,
            body BLOB NOT NULL
        ) STRICT;

        -- Notices that the bot has given about itself, by cause.
        CREATE TABLE notices (
            cause TEXT PRIMARY KEY,
            first_at INTEGER NOT NULL,
            sent_at INTEGER NOT NULL,
            detail TEXT NOT NULL,
            is_event INTEGER NOT NULL,
            channel TEXT
        ) STRICT, WITHOUT ROWID;

        -- What commands ask of the running daemon.
        CREATE TABLE inbox (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            command TEXT NOT NULL,
            argument TEXT NOT NULL,
            taken_at INTEGER,
            answer TEXT,
            is_done INTEGER
        ) STRICT;

        -- What `status` shows, written as it changes.
        CREATE TABLE status (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    private static let version2 = """
        -- In place of `position` for what stands where an earlier message stood.
        ALTER TABLE outbox ADD COLUMN rank INTEGER;
        -- Messages of one thread stand together.
        ALTER TABLE outbox ADD COLUMN thread TEXT;
        -- Takes the place of the episode's earlier message.
        ALTER TABLE outbox ADD COLUMN is_update INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE outbox ADD COLUMN calls_people INTEGER NOT NULL DEFAULT 0;
        -- An attempt is under way, or ended in doubt.
        ALTER TABLE outbox ADD COLUMN is_attempting INTEGER NOT NULL DEFAULT 0;
        -- 'quiet' or 'group': why it does not go before `release_at`, which stays when it is let go.
        ALTER TABLE outbox ADD COLUMN hold TEXT;
        ALTER TABLE outbox ADD COLUMN group_value TEXT;
        ALTER TABLE outbox ADD COLUMN release_at INTEGER;
        -- What a message in place of several stands for.
        ALTER TABLE outbox ADD COLUMN folded TEXT;
        -- In the order in which they go, so that the first of thousands are found without a look at the rest. With all that
        -- it takes to count them.
        DROP INDEX outbox_waiting;
        CREATE INDEX outbox_waiting ON outbox
            (channel, urgency <> 'high', coalesce(rank, position), position, release_at, state) WHERE state = 'waiting';
        CREATE INDEX outbox_groups ON outbox (channel, rule, group_value, release_at)
            WHERE state = 'waiting' AND hold = 'group';
        CREATE INDEX outbox_runs ON outbox (run);
        CREATE INDEX outbox_dead ON outbox (ended_at) WHERE state = 'dead';

        -- When a group's last message went.
        CREATE TABLE groups (
            channel TEXT NOT NULL,
            rule TEXT NOT NULL,
            value TEXT NOT NULL,
            sent_at INTEGER NOT NULL,
            PRIMARY KEY (channel, rule, value)
        ) STRICT, WITHOUT ROWID;

        -- Receipts of a thread's first and last message.
        CREATE TABLE threads (
            channel TEXT NOT NULL,
            name TEXT NOT NULL,
            root TEXT NOT NULL,
            latest TEXT NOT NULL,
            used_at INTEGER NOT NULL,
            PRIMARY KEY (channel, name)
        ) STRICT, WITHOUT ROWID;

        -- What adapters want to remember.
        CREATE TABLE adapter_values (
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (kind, name)
        ) STRICT, WITHOUT ROWID;
        """

    private static let version3 = """
        -- When its condition last began to hold for something, or a slot of it last ran.
        ALTER TABLE rules ADD COLUMN matched_at INTEGER;
        -- A person asked for a run.
        ALTER TABLE rules ADD COLUMN asked_at INTEGER;
        -- Who asks.
        ALTER TABLE inbox ADD COLUMN person TEXT NOT NULL DEFAULT 'somebody';
        -- While it is ridden out that the condition does not hold.
        ALTER TABLE episodes ADD COLUMN kept_since INTEGER;
        -- When `do` last started, from which `repeat` counts.
        ALTER TABLE episodes ADD COLUMN ran_at INTEGER;
        UPDATE episodes SET ran_at = active_since WHERE standing = 'started';
        -- What the steps of a run may name beside its subject.
        ALTER TABLE runs ADD COLUMN context BLOB;
        -- Messages that another rule holds back, by that rule.
        ALTER TABLE outbox ADD COLUMN suppressed_by TEXT;
        CREATE INDEX outbox_suppressed ON outbox (suppressed_by) WHERE suppressed_by IS NOT NULL;
        """

    private static let version4 = """
        -- What decisions were made on, each row as what changed since the one before (`HistoryForm`).
        CREATE TABLE history (
            id INTEGER PRIMARY KEY,
            body BLOB NOT NULL
        ) STRICT;

        -- Rows of it to begin at, with what the rules remembered then.
        CREATE TABLE history_starts (
            id INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            memory BLOB NOT NULL
        ) STRICT;
        """

    private static let version5 = """
        -- How the condition came to what it was: its clauses, as JSON.
        ALTER TABLE audit ADD COLUMN clauses TEXT;
        """

    private static let version6 = """
        -- Not every call is to a session. An id is never given twice, as it is a part of the marks in what was sent.
        CREATE TABLE calls (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            run INTEGER NOT NULL REFERENCES runs (id),
            step INTEGER NOT NULL,
            kind TEXT NOT NULL,
            session INTEGER,
            request TEXT NOT NULL,
            state TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            not_before INTEGER,
            detail TEXT,
            intended_at INTEGER NOT NULL,
            ended_at INTEGER,
            UNIQUE (run, step)
        ) STRICT;
        INSERT INTO sqlite_sequence (name, seq) SELECT 'calls', seq FROM sqlite_sequence WHERE name = 'actions';
        INSERT INTO calls SELECT id, run, step, kind, session, request, state, attempts, not_before, detail, intended_at,
            ended_at FROM actions;
        DROP TABLE actions;
        ALTER TABLE calls RENAME TO actions;
        CREATE INDEX actions_open ON actions (state) WHERE state IN ('attempting', 'retrying');

        -- A person's word for one step of one run, with what was shown to them: once used it is spent.
        CREATE TABLE approvals (
            run INTEGER NOT NULL REFERENCES runs (id),
            step INTEGER NOT NULL,
            request TEXT,
            person TEXT NOT NULL,
            at INTEGER NOT NULL,
            used_at INTEGER,
            PRIMARY KEY (run, step)
        ) STRICT, WITHOUT ROWID;
        """
}
