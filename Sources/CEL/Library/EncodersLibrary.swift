/// The `encoders` extension.
package enum EncodersLibrary {
    package static let functions: [Function] = [
        Function(
            "base64.encode",
            [
                .global { (bytes: [UInt8]) throws(EvaluationError) in
                    guard bytes.count <= Value.largestText / 4 * 3 else { throw .textTooLong }
                    return Base64.encode(bytes)
                }
            ], documentation: "The bytes as base64."),
        Function(
            "base64.decode",
            [
                .global { (text: String) throws(EvaluationError) in
                    if let bytes = Base64.decode(text) { return bytes }
                    throw EvaluationError(.invalidArgument, "'\(text.prefix(64))' is not base64")
                }
            ], documentation: "The bytes that a base64 text stands for; padding may be missing."),
    ]
}
