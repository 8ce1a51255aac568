import AdapterKit
import AdapterKitTesting
import Testing

@testable import MatrixAdapter

@Suite(.timeLimit(.minutes(10))) struct MatrixDeliveryTests {
    private let homeserver = FakeHomeserver()
    private let monitor = RecordingMonitor()
    private let clock = TestClock()
    private let store = MemoryStore()

    private func adapter(_ changes: [String: ConfigurationValue] = [:], password: Bool = false) throws -> any Adapter {
        let values = password ? Matrix.passwordValues : Matrix.values
        return try Matrix.adapter(
            values.merging(changes) { _, new in new }, transport: homeserver, store: store, monitor: monitor,
            clock: clock)
    }

    private let picture = Picture(
        bytes: [0x89, 0x50], mediaType: "image/png", width: 640, height: 240, description: "Costs")

    private var chartDelivery: Delivery {
        var delivery = Matrix.delivery()
        delivery.message.chart = Chart(title: "Costs", points: [Chart.Point(label: "a", value: 1)])
        delivery.picture = picture
        return delivery
    }

    // MARK: - Transactions

    @Test func `a message goes to its room under the delivery's id`() async throws {
        let outcome = await (try adapter()).deliver(Matrix.delivery())
        #expect(outcome == .delivered(Receipt(id: "$1")))
        let request = try #require(homeserver.messages.first)
        #expect(request.line == "PUT /_matrix/client/v3/rooms/%21room/send/m.room.message/dlv_1-1")
        #expect(request.header("Authorization") == "Bearer syt_S3CRET_token")
        #expect(request.header("Content-Type") == "application/json")
    }

    @Test func `a second try, after a restart too, is the same request`() async throws {
        _ = await (try adapter()).deliver(Matrix.delivery())
        _ = await (try adapter()).deliver(Matrix.delivery())
        #expect(homeserver.messages.count == 2)
        #expect(homeserver.messages[0] == homeserver.messages[1])
    }

    @Test func `what render shows is what is sent`() async throws {
        let adapter = try adapter()
        _ = await adapter.deliver(Matrix.delivery())
        let part = try #require(adapter.render(Matrix.delivery()).first)
        #expect(part.label == homeserver.messages.first?.line)
        #expect(part.bytes == homeserver.messages.first?.body)
    }

    // MARK: - Rooms

    @Test func `an alias is looked up once, and remembered over restarts`() async throws {
        homeserver.answer("/directory/room/%23ops%3Ax", HTTPResponse(json: #"{"room_id": "!a/b+c", "servers": ["x"]}"#))
        for number in 1...3 {
            let outcome = await (try adapter(["room": .text("#ops:x")])).deliver(Matrix.delivery("dlv_\(number)"))
            #expect(outcome == .delivered(Receipt(id: "$\(number)")))
        }
        #expect(homeserver.lines.count { $0.contains("/directory/") } == 1)
        #expect(homeserver.messages.allSatisfy { $0.line.contains("/rooms/%21a%2Fb%2Bc/send/") })
    }

    @Test func `an alias that leads nowhere is said with what to correct`() async throws {
        homeserver.answer("/directory/", .notFound)
        let outcome = await (try adapter(["room": .text("#ops:x")])).deliver(Matrix.delivery())
        #expect(outcome.reason?.hasPrefix("there is no room #ops:x: correct `room`") == true)
        guard case .never(_, .channel) = outcome else { return #expect(Bool(false), "\(outcome)") }
    }

    @Test func `a room that the bot is invited to is entered`() async throws {
        homeserver.answer("/state/m.room.encryption", .error("M_FORBIDDEN", 403), .notFound)
        homeserver.answer("/join/%21room", HTTPResponse(json: #"{"room_id": "!room"}"#))
        #expect(await (try adapter()).deliver(Matrix.delivery()) == .delivered(Receipt(id: "$1")))
        #expect(homeserver.lines.contains("POST /_matrix/client/v3/join/%21room"))
    }

    @Test(arguments: [("M_FORBIDDEN", 403), ("M_UNKNOWN", 404), ("M_NOT_FOUND", 404)])
    func `a room that may not be entered is the channel's failure, not the account's`(
        code: String, status: Int
    ) async throws {
        homeserver.answer("/state/", .error("M_FORBIDDEN", 403))
        homeserver.answer("/join/", .error(code, status))
        let outcome = await (try adapter()).deliver(Matrix.delivery())
        guard case .never(let reason, .channel) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(reason.hasPrefix("the bot may not enter !room: invite it"))
        #expect(monitor.reports.last == .down(reason: reason))
        #expect(homeserver.messages.isEmpty)
    }

    @Test func `without the power to write, that is the reason`() async throws {
        homeserver.answer("/send/", .error("M_FORBIDDEN", 403))
        let outcome = await (try adapter()).deliver(Matrix.delivery())
        guard case .never(let reason, .channel) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(reason.hasPrefix("the bot may not write in !room"))
        #expect(homeserver.messages.count == 2)
    }

    @Test func `an encrypted room is refused, unless the channel allows it`() async throws {
        homeserver.answer("/state/m.room.encryption", HTTPResponse(json: #"{"algorithm": "m.megolm.v1.aes-sha2"}"#))
        let outcome = await (try adapter()).deliver(Matrix.delivery())
        guard case .never(let reason, .channel) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(reason.contains("allow_unencrypted: true"))
        #expect(monitor.reports.last == .down(reason: reason))
        #expect(homeserver.messages.isEmpty)
        let open = try adapter(["allow_unencrypted": .boolean(true)])
        #expect(await open.deliver(Matrix.delivery()) == .delivered(Receipt(id: "$1")))
    }

    // MARK: - Failures

    @Test(arguments: [
        ("M_LIMIT_EXCEEDED", 400, HTTPAdapterContract.Class.wait), ("M_LIMIT_EXCEEDED", 429, .wait),
        ("M_BAD_JSON", 400, .never), ("M_UNKNOWN", 400, .never), ("M_UNKNOWN", 500, .maybe), ("M_UNKNOWN", 503, .wait),
        ("M_DUPLICATE_ANNOTATION", 400, .delivered), ("M_TOO_LARGE", 413, .never), ("M_USER_DEACTIVATED", 403, .never),
        ("M_CONSENT_NOT_GIVEN", 403, .never), ("M_USER_LOCKED", 401, .never), ("M_UNKNOWN_TOKEN", 401, .never),
        ("M_NOT_FOUND", 404, .never), ("M_UNRECOGNIZED", 404, .never),
    ])
    func `an error is classed by its code`(
        code: String, status: Int, expected: HTTPAdapterContract.Class
    ) async throws {
        homeserver.answer("/send/", .error(code, status))
        let outcome = await (try adapter()).deliver(Matrix.delivery())
        #expect(HTTPAdapterContract.Class(outcome) == expected, "\(outcome)")
    }

    @Test(arguments: [
        "/directory/", "/state/m.room.encryption", "/state/m.room.tombstone", "/send/", "/upload", "/login",
    ])
    func `a limit is obeyed wherever it is met, by the whole account`(part: String) async throws {
        homeserver.answer("/directory/", HTTPResponse(json: #"{"room_id": "!room"}"#))
        homeserver.answer(part, .error("M_LIMIT_EXCEEDED", 429, headers: ["Retry-After": "5"]), .event("$x"))
        let adapter = try adapter(["room": .text("#ops:x")], password: true)
        let outcome = await adapter.deliver(chartDelivery)
        guard case .wait(_, .seconds(5), .account) = outcome else { return #expect(Bool(false), "\(outcome)") }
        // Nothing is asked before the time is over.
        let count = homeserver.requests.count
        clock.advance(by: .seconds(2))
        guard case .wait(_, .seconds(3), .account) = await adapter.deliver(chartDelivery) else {
            return #expect(Bool(false), "it did not wait")
        }
        #expect(homeserver.requests.count == count)
        clock.advance(by: .seconds(3))
        _ = await adapter.deliver(chartDelivery)
        #expect(homeserver.requests.count > count)
    }

    @Test(arguments: [
        "M_UNKNOWN_TOKEN", "M_MISSING_TOKEN", "M_USER_DEACTIVATED", "M_CONSENT_NOT_GIVEN", "M_USER_LOCKED",
    ])
    func `an account that is refused asks no more, and says what to do`(code: String) async throws {
        homeserver.answer("/send/", .error(code, code == "M_CONSENT_NOT_GIVEN" ? 403 : 401))
        let adapter = try adapter()
        guard case .never(let reason, .account) = await adapter.deliver(Matrix.delivery()) else {
            return #expect(Bool(false), "it was not refused")
        }
        #expect(monitor.reports.last == .down(reason: reason))
        #expect(reason.contains(":"))
        let count = homeserver.requests.count
        #expect(await adapter.deliver(Matrix.delivery("dlv_2")) == .never(reason: reason, affects: .account))
        #expect(homeserver.requests.count == count)
        // Whoever has helped is noticed within the hour.
        clock.advance(by: .seconds(3600))
        homeserver.answer("/send/", .event("$9"))
        #expect(await adapter.deliver(Matrix.delivery("dlv_3")) == .delivered(Receipt(id: "$9")))
    }

    @Test func `a guest signs in on a device of its own, which leaves the bot its session`() async throws {
        let adapter = try Matrix.adapter(Matrix.passwordValues, transport: homeserver, isGuest: true)
        #expect(await adapter.deliver(Matrix.delivery()) == .delivered(Receipt(id: "$1")))
        let logins = homeserver.requests.filter { $0.line.hasSuffix("/login") }
        #expect(logins.map { $0.json["device_id"] } == ["ZIMMERBOT-TEST"])
    }

    @Test func `with a password the session is opened again, on the same device`() async throws {
        homeserver.answer("/send/", .error("M_UNKNOWN_TOKEN", 401), .event("$9"))
        let outcome = await (try adapter(password: true)).deliver(Matrix.delivery())
        #expect(outcome == .delivered(Receipt(id: "$9")))
        let logins = homeserver.requests.filter { $0.line.hasSuffix("/login") }
        #expect(logins.map { $0.json["device_id"] } == ["ZIMMERBOT", "ZIMMERBOT"])
        #expect(logins[0].json["password"] == "pass-S3CRET-word")
        #expect(logins[0].json["identifier"]?["user"] == "bot")
        #expect(homeserver.messages.map(\.line).allSatisfy { $0.hasSuffix("/dlv_1-1") })
        #expect(homeserver.messages.last?.header("Authorization") == "Bearer syt_of_login")
    }

    @Test func `a password that is refused is not tried again and again`() async throws {
        homeserver.answer("/login", .error("M_FORBIDDEN", 403))
        let adapter = try adapter(password: true)
        for _ in 1...3 {
            guard case .never(let reason, .account) = await adapter.deliver(Matrix.delivery()) else {
                return #expect(Bool(false), "it was not refused")
            }
            #expect(reason.contains("correct `user` and `password`"))
        }
        #expect(homeserver.requests.count == 1)
    }

    @Test func `a token that is never accepted is no loop`() async throws {
        homeserver.answer("/send/", .error("M_UNKNOWN_TOKEN", 401))
        let adapter = try adapter(password: true)
        guard case .never(_, .account) = await adapter.deliver(Matrix.delivery()) else {
            return #expect(Bool(false), "it was not refused")
        }
        let count = homeserver.requests.count
        _ = await adapter.deliver(Matrix.delivery("dlv_2"))
        #expect(homeserver.requests.count == count)
    }

    @Test func `where there is no homeserver, that is the reason`() async throws {
        homeserver.answer("/state/", HTTPResponse(status: 404, body: Array("<html>Not found</html>".utf8)))
        let outcome = await (try adapter()).deliver(Matrix.delivery())
        guard case .never(let reason, .channel) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(reason.hasSuffix("correct `homeserver`"))
    }

    @Test func `an answer that no homeserver gives is waited out`() async throws {
        homeserver.answer("/send/", HTTPResponse(status: 200, body: Array("<html>Back soon</html>".utf8)))
        let outcome = await (try adapter()).deliver(Matrix.delivery())
        #expect(HTTPAdapterContract.Class(outcome) == .wait)
    }

    @Test func `what is too large is sent shortened, as another event`() async throws {
        homeserver.answer("/send/m.room.message/dlv_1-1-short", .event("$9"))
        homeserver.answer("/send/", .error("M_TOO_LARGE", 413))
        var delivery = Matrix.delivery()
        delivery.message.body = TextTree(text: String(repeating: "word ", count: 3_000))
        #expect(await (try adapter()).deliver(delivery) == .delivered(Receipt(id: "$9")))
        let body = try #require(homeserver.messages.last?.json["body"]?.string)
        #expect(body.utf8.count < 5_000)
        #expect(body.hasSuffix("kB: https://zimmer.example.com/sessions/7"))
    }

    // MARK: - Edits and pictures

    private var edit: Delivery {
        var delivery = Matrix.delivery()
        delivery.replaces = Receipt(ids: ["$first", "$second"])
        return delivery
    }

    @Test func `an edit replaces the first event, and keeps its name`() async throws {
        homeserver.answer(
            "/event/%24first",
            HTTPResponse(json: #"{"type": "m.room.message", "sender": "@bot:x", "content": {"body": "old"}}"#))
        let adapter = try adapter()
        #expect(await adapter.deliver(edit) == .delivered(Receipt(id: "$first")))
        let sent = try #require(homeserver.messages.first)
        #expect(sent.json["m.relates_to"] == ["rel_type": "m.replace", "event_id": "$first"])
        #expect(adapter.render(edit).map(\.bytes) == [sent.body])
    }

    @Test(arguments: [
        HTTPResponse.notFound,
        HTTPResponse(
            json:
                #"{"type": "m.room.message", "sender": "@bot:x", "content": {}, "unsigned": {"redacted_because": {}}}"#),
        HTTPResponse(json: #"{"type": "m.room.message", "sender": "@bot:x", "content": {}}"#),
    ])
    func `where the original is gone, the message is a new one`(original: HTTPResponse) async throws {
        homeserver.answer("/event/", original)
        #expect(await (try adapter()).deliver(edit) == .delivered(Receipt(id: "$1")))
        let sent = try #require(homeserver.messages.first)
        #expect(sent.json["m.relates_to"] == nil)
        #expect(sent.line.hasSuffix("/dlv_1-1"))
    }

    @Test func `a homeserver that does not take the edit gets a new message`() async throws {
        homeserver.answer(
            "/event/",
            HTTPResponse(json: #"{"type": "m.room.message", "sender": "@bot:x", "content": {"body": "old"}}"#))
        homeserver.answer("/dlv_1-edit", .error("M_UNKNOWN", 400))
        #expect(await (try adapter()).deliver(edit) == .delivered(Receipt(id: "$1")))
    }

    @Test func `a picture is uploaded, and stands behind the text in the same thread`() async throws {
        homeserver.answer("/upload", HTTPResponse(json: #"{"content_uri": "mxc://x/abc"}"#))
        var delivery = chartDelivery
        delivery.thread = Delivery.Thread(root: Receipt(id: "$root"), latest: Receipt(id: "$latest"))
        #expect(await (try adapter()).deliver(delivery) == .delivered(Receipt(ids: ["$1", "$2"])))
        let upload = try #require(homeserver.requests.first { $0.line.contains("/upload") })
        #expect(upload.line == "POST /_matrix/media/v3/upload?filename=chart.png")
        #expect(upload.body == picture.bytes)
        #expect(upload.header("Content-Type") == "image/png")
        #expect(homeserver.messages.map { $0.json["msgtype"] } == ["m.notice", "m.image"])
        #expect(homeserver.messages[1].json["url"] == "mxc://x/abc")
        #expect(homeserver.messages[1].json["m.relates_to"]?["event_id"] == "$root")
        #expect(homeserver.messages[0].json["body"] == "Fix login failed")
    }

    @Test(arguments: [("M_TOO_LARGE", 413), ("M_FORBIDDEN", 403), ("M_UNRECOGNIZED", 404)])
    func `without its picture the message has the chart as a line`(code: String, status: Int) async throws {
        homeserver.answer("/upload", .error(code, status))
        #expect(await (try adapter()).deliver(chartDelivery) == .delivered(Receipt(id: "$1")))
        let body = try #require(homeserver.messages.first?.json["body"]?.string)
        #expect(body.hasPrefix("Fix login failed\n\nCosts: a █"))
    }

    @Test func `a picture is uploaded once, however often its message waits, and given up at the third try`()
        async throws
    {
        homeserver.answer("/upload", HTTPResponse(json: #"{"content_uri": "mxc://x/abc"}"#))
        homeserver.answer("/send/", .error("M_UNKNOWN", 503), .event("$9"))
        let adapter = try adapter()
        _ = await adapter.deliver(chartDelivery)
        #expect(await adapter.deliver(chartDelivery) == .delivered(Receipt(ids: ["$9", "$9"])))
        #expect(homeserver.lines.count { $0.contains("/upload") } == 1)
        homeserver.answer("/upload", .error("M_UNKNOWN", 502))
        var delivery = chartDelivery
        delivery.id = DeliveryID("dlv_2")
        #expect(HTTPAdapterContract.Class(await adapter.deliver(delivery)) == .wait)
        delivery.attempt = 3
        #expect(await adapter.deliver(delivery) == .delivered(Receipt(id: "$9")))
    }
}
