import Testing

@testable import BotCore

@Suite struct ZimmerAddressTests {
    @Test(arguments: [
        ("https://zimmer.example.com", "https://zimmer.example.com/api/v1/sessions/7"),
        ("https://zimmer.example.com///", "https://zimmer.example.com/api/v1/sessions/7"),
        ("http://10.0.0.1:3000/zimmer/", "http://10.0.0.1:3000/zimmer/api/v1/sessions/7"),
    ])
    func `routes follow the address with single slashes`(address: String, url: String) throws {
        #expect(try #require(ZimmerAddress(address)).api(["sessions", "", "7"]) == url)
    }

    @Test(arguments: [
        "", "zimmer.example.com", "ftp://zimmer.example.com", "https://", "https:///", "https://a b", "https://a?x=1",
        "https://a#b", "https://user:secret@a", "https://a\n",
    ])
    func `what is no plain address is none`(address: String) {
        #expect(ZimmerAddress(address) == nil)
    }

    @Test func `components are encoded whole`() throws {
        let address = try #require(ZimmerAddress("https://a"))
        let url = address.api(["x/../y", "web#12", "é?"], query: [("q", "a b&c=d"), ("e", "")])
        #expect(url == "https://a/api/v1/x%2F..%2Fy/web%2312/%C3%A9%3F?q=a%20b%26c%3Dd&e=")
    }
}
