// The `encoders` extension.
extension Library {
    static let encoders: [Function] = [
        Function(
            "base64.encode", summary: "Bytes as Base64 text",
            [
                .unary(.bytes, returns: .string) { bytes, _ throws(EvaluationError) in
                    .string(Base64.encode(try bytes.bytes))
                }
            ]),
        Function(
            "base64.decode", summary: "The bytes of Base64 text",
            [
                .unary(.string, returns: .bytes) { text, _ throws(EvaluationError) in
                    guard let bytes = Base64.decode(try text.string) else {
                        throw EvaluationError(.invalidArgument, "this is not Base64")
                    }
                    return .bytes(bytes)
                }
            ]),
    ]
}
