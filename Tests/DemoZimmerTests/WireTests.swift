import DemoZimmer
import Testing

/// What comes in is hostile: nothing of it may stop the server.
@Suite struct WireTests {
    let server: DemoServer
    let client: HTTPClient

    init() throws {
        server = try DemoServer()
        client = HTTPClient(server)
    }

    @Test(
        arguments: [
            ("/api//v1/sessions", 404), ("/api/v1/sessions//", 404), ("/api/v1/%ff", 400), ("/api/v1/%4", 400),
            ("/api/v1/sessions/%F0%9F%98%80", 404), ("/api/v1/sessions?page=%zz", 400), ("/api/v1/sessions/..", 404),
            ("/", 404), ("/api/v1/sessions?q=" + String(repeating: "a", count: 5000), 200),
        ])
    func `a strange target gets an answer`(target: String, status: Int) async throws {
        #expect(try await client.get(target).status == status)
    }

    @Test func `an empty path component never reaches the application`() async throws {
        let answer = try await client.get("/api/v1//sessions")
        #expect(answer.header("content-type") == "text/plain")
        #expect(answer.header("x-request-id") == nil)
    }

    @Test(arguments: ["{", "[1,", "nul", "{\"prompt\":\"\\ud800\"}", String(repeating: "[", count: 100_000)])
    func `a body that is no JSON is refused`(body: String) async throws {
        let id = server.update { $0.addSession(title: "Fix the login") }
        let head =
            "POST /api/v1/sessions/\(id)/follow_up HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "X-API-Key: \(server.apiKey)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        let answer = String(decoding: try await client.exchange(Array((head + body).utf8)), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 400"))
    }

    @Test func `a body beyond the limit is refused and the server goes on`() async throws {
        let long = JSON.string(String(repeating: "x", count: 5 << 20))
        #expect(try await client.post("/api/v1/sessions", ["prompt": long]).status == 413)
        #expect(try await client.get("/up").status == 200)
    }

    @Test func `many clients at once are all answered`() async throws {
        server.update { _ = $0.addBulk(100) }
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...50 {
                group.addTask { try await client.get("/api/v1/sessions?page=\(number % 4 + 1)").status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 50))
    }

    // MARK: - JSON

    @Test(
        arguments: [
            .null, true, -7, 0.1, 1e300, "", "\u{1F468}\u{200D}\u{1F469} \u{202E} \u{0} \u{1F} \u{7F} \" \\ / <&>",
            [], [:], ["a": [1, "b", ["c": nil]], "": 2], .int(.min), .int(.max),
        ] as [JSON])
    func `what is written reads back the same`(value: JSON) {
        #expect(JSON(parsing: value.bytes) == value)
    }

    @Test func `surrogate pairs are one character and halves are none`() {
        #expect(JSON(parsing: Array(#""\ud83d\ude00""#.utf8)) == "\u{1F600}")
        for text in [#""\ud83d""#, #""\ude00""#, #""\ud83dx""#, #""\ud83d\u0041""#, #""\u12""#] {
            #expect(JSON(parsing: Array(text.utf8)) == nil)
        }
    }

    // MARK: - Times

    @Test(
        arguments: [
            ("2026-10-09T11:00:00Z", 1_791_543_600_000), ("1969-12-31T23:59:59.999Z", -1),
            ("2024-02-29", 1_709_164_800_000), ("2026-10-09T06:00:00-05:00", 1_791_543_600_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000),
        ])
    func `times read as they are meant`(text: String, milliseconds: Int64) {
        #expect(ServerTime(iso8601: text)?.millisecondsSince1970 == milliseconds)
    }

    @Test(
        arguments: [
            "", "soon", "2026-13-01", "2026-02-29", "2026-10-09T24:00", "2026-10-09T11:00:00+5", "2026-10-09T",
            "2026-10-09T11:00:00.Z", "20261009", "2026-10-09T11:00:00Zjunk",
        ])
    func `what is no time is none`(text: String) {
        #expect(ServerTime(iso8601: text) == nil)
    }

    @Test func `every day of four hundred years has its own name and reads back`() {
        var day = ServerTime(millisecondsSince1970: -6_857_222_400_000)
        var previous = ""
        for _ in 0..<146_097 {
            let name = day.day
            #expect(name > previous)
            #expect(ServerTime(iso8601: name) == day)
            previous = name
            day = day + .days(1)
        }
    }

    @Test func `time stops at its ends`() {
        let end = ServerTime(millisecondsSince1970: .max)
        #expect(end + .seconds(1) == end)
        #expect(
            ServerTime(millisecondsSince1970: .min) - .seconds(Int64.max) == ServerTime(millisecondsSince1970: .min))
    }
}
