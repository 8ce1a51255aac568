/// The current row of a query, there only while the query's closure looks at it.
///
/// The wanted type comes from where the value goes: `Person(name: row[0], age: row[1])`, `let note: String? = row[2]`.
package struct DatabaseRow: ~Copyable {
    private let statement: DatabaseStatement

    init(_ statement: DatabaseStatement) {
        self.statement = statement
    }

    /// A value that its type does not take (`DatabaseValue.isSound`) fails the query once the closure is done with the row.
    ///
    /// - Parameter column: counted from 0, in the order of the SELECT.
    package subscript<Value: DatabaseValue>(column: Int32) -> Value {
        statement.read(column)
    }
}
