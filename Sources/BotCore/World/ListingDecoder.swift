import CEL
import Rules

/// Reads rows of lists. A field that is missing or of the wrong type blanks that field; only a row without an id is none.
struct ListingDecoder: Sendable {
    private let webURL: String
    private let seed: UInt64

    /// - Parameters:
    ///   - webURL: where people open Zimmer.
    ///   - seed: for digests, new in each process.
    init(webURL: String, seed: UInt64 = .random(in: .min ... .max)) {
        self.webURL = webURL.hasSuffix("/") ? String(webURL.dropLast()) : webURL
        self.seed = seed
    }

    /// The object of a row; nil when it has no id.
    ///
    /// - Parameter previous: the same object's row in an earlier reading, returned again if nothing changed.
    func row(
        _ json: JSONValue, of kind: ListingKind, previous: (SubjectID) -> Listing.Row? = { _ in nil }
    ) -> Listing.Row? {
        guard let id = json["id"]?.int else { return nil }
        let url = kind == .trigger ? Value.string("\(webURL)/triggers/\(id)") : nil
        return row(json, kind.subject(String(id)), kind.type, adding: url.map { ["url": $0] } ?? [:], previous)
    }

    /// By what a row is told apart from the others of its list.
    func key(_ json: JSONValue, of row: Listing.Row?) -> UInt64 {
        row.map { UInt64(truncatingIfNeeded: $0.id.hashValue) } ?? json.digest(seed: seed)
    }

    /// A question that a session's agent waits to have answered; nil for one that is answered or over, or has no id.
    func question(
        _ json: JSONValue, of session: Int64, previous: (SubjectID) -> Listing.Row? = { _ in nil }
    ) -> Listing.Row? {
        guard let id = json["id"]?.int else { return nil }
        return row(
            json, ListingKind.elicitation.subject(String(id)), WorldSchema.elicitation,
            adding: ["session_id": .int(session)], previous)
    }

    /// What is known of a question that Zimmer does not show: who asks.
    func question(of session: Int64, notification: Int64?) -> Listing.Row {
        let unread = Value.error(.unreadable("Zimmer does not list the questions of sessions to this API key"))
        let object = Object(WorldSchema.elicitation, named: ["id": unread, "session_id": .int(session)])
        let id = ["session", String(session)] + (notification.map { [String($0)] } ?? [])
        return Listing.Row(id: ListingKind.elicitation.subject(id.joined(separator: "-")), object: object, digest: 0)
    }

    /// - Parameter known: fields that are not the wire's; `session` is null until it is looked up.
    private func row(
        _ json: JSONValue, _ id: SubjectID, _ type: ObjectType, adding known: [String: Value],
        _ previous: (SubjectID) -> Listing.Row?
    ) -> Listing.Row {
        let digest = json.digest(seed: seed)
        if let previous = previous(id), previous.digest == digest { return previous }
        let values = type.fields.map { field in
            if field.name == "session" { return Value.null }
            return known[field.name] ?? WireDecoder.value(field.type, json[field.name], "\(type.name).\(field.name)")
        }
        return Listing.Row(id: id, object: Object(type, values), digest: digest)
    }

    /// The tools of this deployment.
    ///
    /// - Parameter json: `cli_status`.
    func tools(_ json: JSONValue, previous: (SubjectID) -> Listing.Row? = { _ in nil }) -> Listing.Row {
        let id = ListingKind.clis.subject(ListingKind.clis.rawValue)
        let digest = json.digest(seed: seed)
        if let previous = previous(id), previous.digest == digest { return previous }
        return Listing.Row(id: id, object: Self.tools(json), digest: digest)
    }

    private static func tools(_ json: JSONValue) -> Object {
        guard let tools = json["tools"], tools.kind == .object else {
            let unread = Value.error(.unreadable("Zimmer did not send clis.tools"))
            return Object(WorldSchema.clis, [unread, unread])
        }
        var seen: Set<ByteKey> = []
        let members = tools.members.filter { seen.insert(ByteKey($0.name)).inserted }
        let objects = members.map { tool in
            let type = WorldSchema.cli
            let values = type.fields.map { field in
                field.name == "name"
                    ? Value.string(tool.name)
                    : WireDecoder.value(field.type, tool.value[field.name], "clis.\(field.name)")
            }
            return (Value.string(tool.name), Value.object(Object(type, values)))
        }
        let isLoading = ([json] + members.map(\.value)).contains { $0["loading"]?.bool == true }
        let names = members.filter { $0.value["authenticated"]?.bool == false }.map { Value.string($0.name) }
        let unauthenticated =
            isLoading ? Value.error(.unreadable("Zimmer is still looking at its tools")) : .list(names)
        return Object(WorldSchema.clis, [.map(MapValue(objects)), unauthenticated])
    }
}
