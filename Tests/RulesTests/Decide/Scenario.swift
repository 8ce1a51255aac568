import CEL

@testable import Rules

/// A small world for tests of `decide`: sessions with a status and a count, one shared variable, a clock that stands
/// still between polls.
struct Scenario {
    static let session = ObjectType(
        "session",
        [
            .init("id", .int), .init("status", .string), .init("link", .nullable(.string)),
            .init("touched_at", .timestamp),
        ])
    static let health = ObjectType("health", [.init("busy", .bool)])
    static let vars = ObjectType("vars", [])

    var rules: RuleSet
    var memory = Memory()
    var now = Timestamp(seconds: 1_800_000_000)
    var health: Value = .object(Object(Self.health, [.bool(false)]))
    /// When `health` was read; nil: just now.
    var healthReadAt: Timestamp?
    var departed: [SubjectID: Departure] = [:]
    private var revision: UInt64 = 0
    private var last: [SubjectID: Object] = [:]
    private var subjects = Subjects([], revision: 0)
    private var isFirst = true

    init(_ rules: Rule...) {
        self.rules = RuleSet(rules)
    }

    /// A session as a poll sees it.
    struct Session {
        var id: Int
        var status = "failed"
        var link: String?
        var touched: Int64 = 0

        var subject: Subject {
            let slots: [Value] = [
                .int(Int64(id)), .string(status), link.map(Value.string) ?? .null,
                .timestamp(Timestamp(seconds: touched)),
            ]
            return Subject(Scenario.id(id), Object(Scenario.session, slots))
        }
    }

    static func id(_ number: Int) -> SubjectID { SubjectID(type: "session", id: String(number)) }

    /// One whole reading, `after` the one before.
    @discardableResult
    mutating func poll(_ sessions: Session..., after: Duration = .seconds(30)) -> Decision {
        poll(sessions, after: after)
    }

    @discardableResult
    mutating func poll(_ sessions: [Session], after: Duration = .seconds(30)) -> Decision {
        now = now + after
        revision += 1
        let all = sessions.map { session in
            var subject = session.subject
            // What did not change is shared between readings.
            if let before = subjects[subject.id] {
                subject.previous = before.value
                if before.value.slots.map(\.json) == subject.value.slots.map(\.json) {
                    subject = Subject(subject.id, before.value, previous: before.value)
                }
            }
            return subject
        }
        for subject in all { last[subject.id] = subject.value }
        let changed = isFirst ? nil : (subjects.revision, all.indices.filter { all[$0].isMoved })
        isFirst = false
        subjects = Subjects(all, departed: departed, revision: revision, changed: changed)
        var world = world()
        world.watched["session"] = .whole(subjects)
        departed = [:]
        return rules.decide(world, &memory)
    }

    /// A reading that failed.
    @discardableResult
    mutating func fail(after: Duration = .seconds(30)) -> Decision {
        now = now + after
        var world = world()
        world.watched["session"] = .cannotTell("the board was not read")
        return rules.decide(world, &memory)
    }

    /// Time passes, nothing is read.
    @discardableResult
    mutating func tick(after: Duration) -> Decision {
        now = now + after
        return rules.decide(world(), &memory)
    }

    func world() -> World {
        let health = World.Variable(health, revision: revision, readAt: healthReadAt ?? now)
        var world = World(now: now, variables: ["health": health], latest: last)
        world.variables["board"] = World.Variable(.list([]), revision: revision, readAt: now)
        world.standing["session"] = subjects
        return world
    }
}

extension Decision {
    /// What was posted, as `channel: text`.
    var said: [String] { posts.map { "\($0.channel): \($0.text.plain)" } }

    /// Subjects whose run now stands at a write.
    var writing: [String] { runs.filter { $0.state == .writing }.map(\.key.subject.id) }
}
