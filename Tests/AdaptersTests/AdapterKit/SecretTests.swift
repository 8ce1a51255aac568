import AdapterKit
import Testing

@Suite struct SecretTests {
    private struct Holder {
        var name = "x"
        var secret = Secret("hunter22")
    }

    @Test func `a secret does not print, however it is printed`() {
        let secret = Secret("hunter22")
        var dumped = ""
        dump(Holder(), to: &dumped)
        let texts = [
            "\(secret)", String(describing: secret), String(reflecting: secret), "\([secret])", "\(Holder())", dumped,
            "\(String(describing: Optional(secret)))", "\(HTTPHeader("a", secret))",
            "\(Mirror(reflecting: secret).children.map { "\($0.value)" })",
            "\(ConfigurationValue.secret(secret))",
            String(reflecting: HTTPRequest(method: "GET", url: secret, timeout: .seconds(1))),
        ]
        for text in texts { #expect(!text.contains("hunter22")) }
        #expect("\(secret)" == "<redacted>")
        #expect(secret.reveal() == "hunter22")
    }
}
