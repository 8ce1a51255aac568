import CEL

/// Reads and writes which notices were given.
struct NoticeStore {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    func load() throws -> [String: NoticeBook.Given] {
        let rows = try database.query(
            "SELECT cause, first_at, sent_at, detail, is_event, channel FROM notices"
        ) { row -> (String, NoticeBook.Given) in
            let given = NoticeBook.Given(
                firstAt: row[1], sentAt: row[2], text: row[3],
                isEvent: row[4], channel: row[5])
            return (row[0], given)
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// Inside a transaction: replaces all rows. There is one for each cause of the last day, so few.
    func save(_ book: NoticeBook) throws {
        try database.run("DELETE FROM notices")
        for (cause, given) in book.given {
            try database.run(
                "INSERT INTO notices (cause, first_at, sent_at, detail, is_event, channel) VALUES (?, ?, ?, ?, ?, ?)",
                cause, given.firstAt.microseconds, given.sentAt.microseconds, given.text, given.isEvent, given.channel)
        }
    }
}
