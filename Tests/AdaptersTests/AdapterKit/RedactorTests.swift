import AdapterKit
import Testing

@Suite struct RedactorTests {
    private let redactor = Redactor([
        Secret("https://user:passphrase@hooks.example.com/services/T0PSECRET?key=abcdefgh"),
        Secret("Bearer tokentoken"),
    ])

    @Test(arguments: [
        ("no such path /services/T0PSECRET", "no such path /<redacted>/<redacted>"),
        ("Authorization: Bearer tokentoken", "Authorization: <redacted>"),
        ("the token tokentoken is old", "the token <redacted> is old"),
        ("passphrase is not the password of user", "<redacted> is not the password of user"),
        ("see https://docs.example.com/a?b#c for more", "see https://docs.example.com for more"),
        ("<a href=\"http://name:pass@x.example/y\">", "<a href=\"http://x.example\">"),
        ("HTTPS:// and ://", "HTTPS:// and ://"),
        ("plain", "plain"), ("", ""),
    ])
    func `secrets and addresses are taken out`(text: String, expected: String) {
        #expect(redactor.redact(text) == expected)
    }

    @Test(arguments: [
        ("https://hooks.example.com/a/b?c#d", "https://hooks.example.com"),
        ("HTTP://user:pw@h.example:8080/x", "http://h.example:8080"),
        ("http://[::1]:9/x", "http://[::1]:9"),
        ("http://[::1]/x", "http://[::1]"),
        ("https://a.example:65535", "https://a.example:65535"),
        ("https://a.example?x", "https://a.example"),
        ("https://h.example\\@evil.example/", "https://h.example"),
    ])
    func `an address shows scheme and host`(url: String, shown: String) {
        #expect(HTTPAddress(Secret(url))?.description == shown)
    }

    @Test(arguments: [
        "", "x", "ftp://a.example", "https://", "https:///a", "https://a b", "https://é.example", "//a",
        "https://a.example:0", "https://a.example:65536/x", "https://a.example:x", "https://a.example:+1",
        "https://a.example:1:2", "https://[::1]x", "https://[::1",
    ])
    func `what is no web address has none`(url: String) {
        #expect(HTTPAddress(Secret(url)) == nil)
    }
}
