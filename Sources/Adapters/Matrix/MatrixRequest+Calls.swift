import AdapterKit

/// The calls that are made, with the sections of the Client-Server API that describe them.
extension MatrixRequest {
    private static let client = ["client", "v3"]

    /// "Current account information".
    static let whoAmI = MatrixRequest(method: "GET", path: client + ["account", "whoami"])

    /// "Login". A device that keeps its id keeps its transactions, so that a message repeated after a new login is
    /// recognised.
    static func login(user: String, password: Secret, device: String) -> MatrixRequest {
        let body: JSON = [
            "type": "m.login.password", "identifier": ["type": "m.id.user", "user": .string(user)],
            "password": .string(password.reveal()), "device_id": .string(device),
            "initial_device_display_name": "zimmer-bot",
        ]
        return MatrixRequest(method: "POST", path: client + ["login"], body: .json(body))
    }

    /// "Room aliases".
    static func room(alias: String) -> MatrixRequest {
        MatrixRequest(method: "GET", path: client + ["directory", "room", alias])
    }

    /// "Joining rooms".
    ///
    /// - Parameter servers: who may know the room; both names of the parameter are in use.
    static func join(_ room: String, via servers: [String] = []) -> MatrixRequest {
        let query = servers.prefix(3).flatMap {
            [Parameter(name: "via", value: $0), Parameter(name: "server_name", value: $0)]
        }
        return MatrixRequest(method: "POST", path: client + ["join", room], query: query, body: .json([:]))
    }

    /// "Leaving rooms".
    static func leave(_ room: String) -> MatrixRequest {
        MatrixRequest(method: "POST", path: client + ["rooms", room, "leave"], body: .json([:]))
    }

    /// "Getting events for a room": the content of a state event.
    static func state(_ type: String, of room: String) -> MatrixRequest {
        MatrixRequest(method: "GET", path: client + ["rooms", room, "state", type])
    }

    /// The same with its sender; an older server answers with the content alone.
    static func stateEvent(_ type: String, of room: String) -> MatrixRequest {
        MatrixRequest(
            method: "GET", path: client + ["rooms", room, "state", type],
            query: [Parameter(name: "format", value: "event")])
    }

    static func event(_ id: String, in room: String) -> MatrixRequest {
        MatrixRequest(method: "GET", path: client + ["rooms", room, "event", id])
    }

    /// "Sending events to a room". The same transaction is one event, however often it is sent.
    static func send(_ event: OutgoingEvent, to room: String) -> MatrixRequest {
        MatrixRequest(
            method: "PUT", path: client + ["rooms", room, "send", "m.room.message", event.transaction],
            body: .json(event.content))
    }

    /// "Content repository".
    static func upload(_ picture: Picture) -> MatrixRequest {
        MatrixRequest(
            method: "POST", path: ["media", "v3", "upload"],
            query: [Parameter(name: "filename", value: OutgoingEvent.fileName(of: picture))],
            body: .media(picture.bytes, type: picture.mediaType), timeout: .seconds(60))
    }

    /// "Fully read markers".
    static func markRead(_ event: String, in room: String) -> MatrixRequest {
        MatrixRequest(
            method: "POST", path: client + ["rooms", room, "read_markers"],
            body: .json(["m.fully_read": .string(event), "m.read": .string(event)]))
    }

    /// "Syncing": asks for what is new, and waits for it.
    ///
    /// - Parameters:
    ///   - since: Where the last answer ended; nil for the first time.
    ///   - wantsState: The whole state of every room too, at once. A process that has just begun knows none of it.
    static func sync(since: String?, wantsState: Bool, filter: JSON) -> MatrixRequest {
        let isPoll = since != nil && !wantsState
        var query = [
            Parameter(name: "filter", value: String(decoding: filter.bytes, as: UTF8.self)),
            Parameter(name: "timeout", value: isPoll ? "30000" : "0"),
        ]
        if let since { query.append(Parameter(name: "since", value: since)) }
        if since != nil, wantsState { query.append(Parameter(name: "full_state", value: "true")) }
        return MatrixRequest(
            method: "GET", path: client + ["sync"], query: query, timeout: .seconds(isPoll ? 45 : 120),
            maximumAnswerSize: 32 * 1024 * 1024)
    }
}
