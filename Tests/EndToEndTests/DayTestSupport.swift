import DemoZimmer

extension HTTPResponse {
    /// Puts other words into the body.
    mutating func replace(_ old: String, with new: String) {
        body = Array(String(decoding: body, as: UTF8.self).replacing(old, with: new).utf8)
    }
}
