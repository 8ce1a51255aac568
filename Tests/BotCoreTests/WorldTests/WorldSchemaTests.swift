import CEL
import Rules
import Testing

@testable import BotCore

@Suite struct WorldSchemaTests {
    /// The names and what is nullable, as the language of rules has them.
    @Test(arguments: [
        (
            WorldSchema.session,
            """
            id slug? title status agent_runtime agent_root? model? genesis scheduling_class? priority_class? precedence prompt? goal?
            goal_check? git_root? repo? branch? subdirectory? is_autonomous? heartbeat_enabled? heartbeat_interval_seconds?
            favorited? session_notes? visibility effective_visibility snoozed_until? archived_at? trash_after? created_at
            updated_at all_mcp_servers metadata custom_metadata url touched_at idle age status_since failure_reason?
            waiting_reason? blocked_on_elicitation mcp_failed prs pr? summary? last_message? last_message_at? queued undelivered
            cost_usd waiting_text? parent_id? children
            """
        ),
        (
            WorldSchema.pullRequest,
            "url repo number state ci conflict authorized authorized_at? authorization read_at? ci_since labels?"
        ),
        (WorldSchema.notification, "id session_id notification_type read created_at session?"),
        (
            WorldSchema.elicitation,
            "id session_id session? message? tool_name? requested_schema? expires_at?"
        ),
        (WorldSchema.clis, "tools unauthenticated"),
        (WorldSchema.zimmer, "reachable last_read_at? stale_for error? server_time_skew sign_in"),
    ])
    func `fields have the names of the language`(type: ObjectType, names: String) {
        let declared = type.fields.map { field in
            if case .nullable = field.type { "\(field.name)?" } else { field.name }
        }
        #expect(Set(declared) == Set(names.split(whereSeparator: \.isWhitespace).map(String.init)))
    }

    @Test func `no two types have the same name`() {
        let names = WorldSchema.types.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func `every type inside a declared type is declared`() {
        func inner(_ type: Type) -> [ObjectType] {
            switch type {
            case .object(let object): [object]
            case .list(let element), .nullable(let element): inner(element)
            case .map(_, let value): inner(value)
            default: []
            }
        }
        let used = Set(WorldSchema.types.flatMap(\.fields).flatMap { inner($0.type) })
        #expect(used.subtracting(WorldSchema.types).map(\.name) == [])
    }

    @Test func `idle and age are counted to now`() throws {
        var environment = Environment()
        for variable in Vocabulary.zimmer.variables { environment.declare(variable.name, variable.type) }
        var activation = Activation(environment)
        activation[try #require(environment.slot(of: "now"))] = .timestamp(Fixture.now)
        let row = try #require(Fixture.rows("sessions_page1").first { $0.id == 1240 })
        var tracker = SessionTracker()
        let object = tracker.reading(of: row, previous: nil, at: Fixture.now).object
        let times = try ["idle", "age"].map { name in
            try #require(object.type.fields.first { $0.name == name }?.compute).value(object, activation).shown
        }
        #expect(times == ["4800s", "5700s"])
    }

    @Test func `staleness counts from the last reading, before it from the start`() throws {
        var environment = Environment()
        let now = environment.declare("now", .timestamp)
        var activation = Activation(environment)
        activation[now] = .timestamp(Fixture.now)
        let compute = try #require(WorldSchema.zimmer.fields[WorldSchema.zimmerStaleForSlot].compute)
        #expect(WorldSchema.zimmer.fields[WorldSchema.zimmerStaleForSlot].name == "stale_for")
        var standing = ZimmerStanding(isReachable: false, lastReadAt: nil, startedAt: Fixture.now - .seconds(90))
        #expect(compute.value(standing.object, activation).shown == "90s")
        standing.lastReadAt = Fixture.now - .seconds(30)
        #expect(compute.value(standing.object, activation).shown == "30s")
        #expect(standing.object["error"].shown == "null")
    }

    @Test func `an unreadable time is unreadable, not long ago`() throws {
        let row = try #require(Fixture.rows("sessions_tolerance").first { $0.id == 9008 })
        var tracker = SessionTracker()
        let object = tracker.reading(of: row, previous: nil, at: Fixture.now).object
        var environment = Environment()
        environment.declare("now", .timestamp)
        var activation = Activation(environment)
        activation[WorldSchema.nowSlot] = .timestamp(Fixture.now)
        let idle = try #require(object.type.fields.first { $0.name == "idle" }?.compute)
        #expect(idle.value(object, activation).isUnavailable)
    }
}
