extension Value {
    package var typeName: String { "value" }
    package var text: String { "" }
    package var json: String { "null" }
}
