import CEL
import CSQLite

/// What the rules remember at one time, as the rows of its tables, so that a recording can be replayed from there.
///
/// What has a time of its own is not in it: values of `once` and earlier runs are in the store for longer than any
/// recording.
struct MemoryRows {
    /// Which rows, in an order in which they can be inserted.
    private static let tables = [
        ("meta", "name = 'decided_at'"), ("rules", "TRUE"), ("episodes", "TRUE"),
        ("runs", "state IN ('waiting', 'writing')"),
        ("actions", "run IN (SELECT id FROM runs WHERE state IN ('waiting', 'writing'))"),
    ]

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// The rows as they are now, as bytes.
    ///
    /// - Complexity: O(pending and active subjects of all rules).
    func save() throws -> [UInt8] {
        var writer = ByteWriter()
        writer.count(Self.tables.count)
        for (table, condition) in Self.tables {
            let columns = try self.columns(of: table)
            writer.text(table)
            writer.count(columns.count)
            for column in columns { writer.text(column) }
            let list = columns.joined(separator: ", ")
            let rows = try database.query("SELECT \(list) FROM \(table) WHERE \(condition)") { row in
                columns.indices.map { row[Int32($0)] as DatabaseCell }
            }
            writer.count(rows.count)
            for row in rows { for cell in row { writer.cell(cell) } }
        }
        return writer.bytes
    }

    /// Inserts saved rows into a store that has none. Columns and tables that this version does not know are left out.
    func restore(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        for _ in 0..<(try reader.count()) {
            let table = try reader.text()
            var columns: [String] = []
            for _ in 0..<(try reader.count()) { columns.append(try reader.text()) }
            let known = Set(try Self.tables.contains { $0.0 == table } ? self.columns(of: table) : [])
            let kept = columns.indices.filter { known.contains(columns[$0]) }
            let names = kept.map { columns[$0] }.joined(separator: ", ")
            let places = kept.map { _ in "?" }.joined(separator: ", ")
            for _ in 0..<(try reader.count()) {
                var cells: [DatabaseCell] = []
                for _ in columns { cells.append(try reader.cell()) }
                if kept.isEmpty { continue }
                _ = try database.query(
                    "INSERT INTO \(table) (\(names)) VALUES (\(places))", values: kept.map { cells[$0] }
                ) { _ in }
            }
        }
        try reader.finish()
    }

    private func columns(of table: String) throws -> [String] {
        try database.query("SELECT name FROM pragma_table_info(?)", table) { $0[0] }
    }
}

/// A value of whatever type a column holds.
enum DatabaseCell: DatabaseValue, Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch self {
        case .null: Int64?.none.bind(to: statement, at: index)
        case .integer(let value): value.bind(to: statement, at: index)
        case .real(let value): value.bind(to: statement, at: index)
        case .text(let value): value.bind(to: statement, at: index)
        case .blob(let value): value.bind(to: statement, at: index)
        }
    }

    package static func read(from statement: OpaquePointer, at column: Int32) -> DatabaseCell {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(.read(from: statement, at: column))
        case SQLITE_FLOAT: .real(.read(from: statement, at: column))
        case SQLITE_TEXT: .text(.read(from: statement, at: column))
        case SQLITE_BLOB: .blob(.read(from: statement, at: column))
        default: .null
        }
    }
}

extension ByteWriter {
    fileprivate mutating func cell(_ cell: DatabaseCell) {
        switch cell {
        case .null: byte(0)
        case .integer(let value):
            byte(1)
            signed(value)
        case .real(let value):
            byte(2)
            fixed(value.bitPattern)
        case .text(let value):
            byte(3)
            text(value)
        case .blob(let value):
            byte(4)
            block(value)
        }
    }
}

extension ByteReader {
    fileprivate mutating func cell() throws(Failure) -> DatabaseCell {
        switch try byte() {
        case 0: .null
        case 1: .integer(try signed())
        case 2: .real(Double(bitPattern: try fixed()))
        case 3: .text(try text())
        case 4: .blob(Array(try block()))
        default: throw Failure("a saved row holds something of no known type")
        }
    }
}
