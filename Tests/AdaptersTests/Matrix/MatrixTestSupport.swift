import AdapterKit
import AdapterKitTesting

@testable import MatrixAdapter

/// The Matrix channel of these tests.
enum Matrix {
    static let room = "!room"

    static let values: [String: ConfigurationValue] = [
        "homeserver": .text("https://matrix.example.com"), "access_token": .secret(Secret("syt_S3CRET_token")),
        "room": .text(room),
    ]

    static let passwordValues: [String: ConfigurationValue] = [
        "homeserver": .text("https://matrix.example.com"), "user": .text("bot"),
        "password": .secret(Secret("pass-S3CRET-word")), "room": .text(room),
    ]

    /// What a room without encryption answers when it is looked at.
    static func preparation(_ request: HTTPRequest) -> HTTPResponse? {
        request.url.reveal().contains("/state/") ? .notFound : nil
    }

    static func adapter(
        _ values: [String: ConfigurationValue] = values, transport: any HTTPTransport,
        store: any AdapterStore = MemoryStore(), monitor: any ConnectionMonitor = RecordingMonitor(),
        listener: (any ChatListener)? = nil, isGuest: Bool = false, clock: TestClock = TestClock(),
        log: RecordingLog = RecordingLog()
    ) throws -> any Adapter {
        let kind = MatrixKind()
        return try kind.makeAdapter(
            configuration: AdapterConfiguration(schema: kind.schema, values: values),
            context: .testing(
                channelName: "ops", transport: transport, store: store, monitor: monitor, listener: listener,
                isGuest: isGuest, clock: clock, log: log))
    }

    static func delivery(_ id: String = "dlv_1", _ message: Message = AdapterContract.message) -> Delivery {
        Delivery(id: DeliveryID(id), message: message, attempt: 1)
    }
}

extension HTTPResponse {
    static let notFound = HTTPResponse(json: #"{"errcode": "M_NOT_FOUND", "error": "Event not found."}"#, status: 404)

    init(json: String, status: Int = 200, headers: [String: String] = [:]) {
        self.init(status: status, headers: headers, body: Array(json.utf8))
    }

    static func event(_ id: String) -> HTTPResponse {
        HTTPResponse(json: #"{"event_id": "\#(id)"}"#)
    }

    static func error(_ code: String, _ status: Int, headers: [String: String] = [:]) -> HTTPResponse {
        HTTPResponse(json: #"{"errcode": "\#(code)", "error": "no"}"#, status: status, headers: headers)
    }
}

extension HTTPRequest {
    /// `PUT /_matrix/…`.
    var line: String { "\(method) \(url.reveal().dropFirst("https://matrix.example.com".count))" }

    var json: JSON { JSON(body) ?? .null }

    var isMessage: Bool { method == "PUT" && url.reveal().contains("/send/m.room.message/") }
}
