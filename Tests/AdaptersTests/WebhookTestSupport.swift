import AdapterKit
import AdapterKitTesting

/// The webhook of these tests: every key that can be a secret is one.
enum Webhook {
    static let url = "https://hooks.example.com:8443/services/T0PS3CRET/path-secret?token=query-secret"

    static let values: [String: ConfigurationValue] = [
        "url": .secret(Secret(url)),
        "headers": .headers([HTTPHeader("Authorization", "Bearer header-secret")]),
        "secret": .secret(Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")),
    ]
}

extension HTTPRequest {
    /// The value of a header, whatever its case.
    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value.reveal()
    }
}
