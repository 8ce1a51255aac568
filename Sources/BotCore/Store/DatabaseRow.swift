/// The current row of a query, there only while the query's closure looks at it.
///
/// The wanted type comes from where the value goes: `Person(name: row[0], age: row[1])`, `let note: String? = row[2]`.
package struct DatabaseRow: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) {
        self.statement = statement
    }

    /// - Parameter column: counted from 0, in the order of the SELECT.
    package subscript<Value: DatabaseValue>(column: Int32) -> Value {
        Value.read(from: statement, at: column)
    }
}
