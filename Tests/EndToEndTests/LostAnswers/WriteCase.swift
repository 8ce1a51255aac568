import DemoZimmer
import Testing

/// A write that a rule can ask for, and how the server shows how often it took effect: one line for each in `all`.
struct WriteCase: Sendable, CustomTestStringConvertible {
    /// The step, as in a rules file.
    let step: String
    /// Its call.
    let method: String
    let path: String
    /// When the rule's condition holds; by itself it does while session 7 rests.
    var condition = #"session.status == "needs_input""#
    /// It says how something is to be, so asking for it again does no harm: it always comes about in the end.
    var isState = true
    var prepare: @Sendable (inout ZimmerState) -> Void = { _ in }
    /// How often it took effect: one is what was asked for.
    let effects: @Sendable (DemoServer) -> Int

    var testDescription: String { step }
    var route: RequestPattern { RequestPattern(method, path) }
}

extension WriteCase {
    static let all: [WriteCase] = [
        WriteCase(
            step: #"follow_up: {prompt: "Go on."}"#, method: "POST", path: "/api/v1/sessions/*/follow_up",
            isState: false, effects: told("Go on.")),
        WriteCase(
            step: #"follow_up: {prompt: "Wait for me."}"#, method: "POST", path: "/api/v1/sessions/*/follow_up",
            condition: #"session.status == "running""#, isState: false,
            prepare: { $0.edit(7) { $0.status = .running } }, effects: told("Wait for me.")),
        WriteCase(
            step: #"log: {text: "reminded", level: info}"#, method: "POST", path: "/api/v1/sessions/*/logs",
            isState: false, effects: { $0.state.logs.count { $0.content.hasSuffix("reminded") } }),
        WriteCase(
            step: "snooze: {for: 7d}", method: "PATCH", path: "/api/v1/sessions/*/visibility",
            // Another end is another effect.
            effects: { Set(applied(.visibility, on: $0).map(\.request.body)).count }),
        WriteCase(
            step: #"snooze: {until: "monday 09:00"}"#, method: "PATCH", path: "/api/v1/sessions/*/visibility",
            effects: { Set(applied(.visibility, on: $0).map(\.request.body)).count }),
        WriteCase(
            step: "hide", method: "PATCH", path: "/api/v1/sessions/*/visibility",
            condition: #"session.status == "needs_input" && session.effective_visibility == "visible""#,
            effects: session { $0.visibility == .hidden }),
        WriteCase(
            step: "show", method: "PATCH", path: "/api/v1/sessions/*/visibility",
            condition: #"session.status == "needs_input" && session.effective_visibility == "hidden""#,
            prepare: { $0.edit(7) { $0.visibility = .hidden } }, effects: session { $0.visibility == .visible }),
        WriteCase(
            step: "archive", method: "POST", path: "/api/v1/sessions/*/archive",
            effects: session { $0.status == .archived }),
        WriteCase(
            step: #"note: {append: "seen"}"#, method: "PATCH", path: "/api/v1/sessions/*/notes",
            prepare: { $0.edit(7) { $0.notes = "old" } }, effects: { lines("seen", of: $0) }),
        WriteCase(
            // What it appends is there already, from another time.
            step: #"note: {append: "seen again"}"#, method: "PATCH", path: "/api/v1/sessions/*/notes",
            prepare: { $0.edit(7) { $0.notes = "old\nseen again" } }, effects: { lines("seen again", of: $0) - 1 }),
        WriteCase(
            // The notes end with these letters, but not with this line.
            step: #"note: {append: "een"}"#, method: "PATCH", path: "/api/v1/sessions/*/notes",
            prepare: { $0.edit(7) { $0.notes = "never seen" } }, effects: { lines("een", of: $0) }),
        WriteCase(
            step: #"note: {replace: "seen"}"#, method: "PATCH", path: "/api/v1/sessions/*/notes",
            prepare: { $0.edit(7) { $0.notes = "old" } }, effects: session { $0.notes == "seen" }),
        WriteCase(
            step: "favorite: true", method: "POST", path: "/api/v1/sessions/*/toggle_favorite",
            effects: { toggles(of: $0) }),
        WriteCase(
            step: "favorite: false", method: "POST", path: "/api/v1/sessions/*/toggle_favorite",
            prepare: { $0.edit(7) { $0.favorited = true } }, effects: { toggles(of: $0) }),
    ]

    // MARK: - What the server shows

    /// The texts that session 7 was told, waiting ones too.
    private static func told(_ text: String) -> @Sendable (DemoServer) -> Int {
        { server in
            let state = server.state
            let said = (state.sessions[7]?.conversation ?? []).filter { $0.role == "user" }.map(\.content)
            let queued = state.queue.filter { $0.sessionID == 7 && $0.status == .pending }.map(\.content)
            return (said + queued).count { $0.hasSuffix(text) }
        }
    }

    private static func session(_ isSo: @escaping @Sendable (Session) -> Bool) -> @Sendable (DemoServer) -> Int {
        { $0.state.sessions[7].map(isSo) == true ? 1 : 0 }
    }

    private static func lines(_ line: Substring, of server: DemoServer) -> Int {
        (server.state.sessions[7]?.notes ?? "").split(separator: "\n").count { $0 == line }
    }

    private static func toggles(of server: DemoServer) -> Int {
        applied(RequestPattern("POST", "/api/v1/sessions/*/toggle_favorite"), on: server).count
    }

    /// Requests that the server carried out.
    private static func applied(_ pattern: RequestPattern, on server: DemoServer) -> [RecordedRequest] {
        server.received(pattern).filter { $0.wasApplied && 200..<300 ~= ($0.status ?? 0) }
    }
}
