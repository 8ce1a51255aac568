import CEL
import Rules
import Testing

@testable import BotCore

/// What rules get to see of readings that came one after the other.
struct ObservationTests {
    private let start = Timestamp(seconds: 1_800_000_000)

    private func session(_ id: Int64, _ status: String) throws -> SessionReading {
        var slots = WorldSchema.session.fields.map { _ in Value.null }
        slots[SessionField.id.slot] = .int(id)
        slots[SessionField.status.slot] = .string(status)
        return try #require(SessionReading(Object(WorldSchema.session, slots)))
    }

    private func board(_ sessions: [SessionReading], after seconds: Int64) -> BoardReading {
        BoardReading(sessions: sessions, isWhole: true, readAt: start + .seconds(seconds))
    }

    private func observation() -> Observation {
        Observation(
            freshness: .init(boardInterval: .seconds(30), healthInterval: .seconds(120)), startedAt: start)
    }

    private func status(_ object: Object?) -> String? {
        guard case .string(let status)? = object?["status"] else { return nil }
        return status
    }

    @Test func `the session of a reading that nobody decided on is no previous one`() throws {
        var observation = observation()
        let other = try session(2, "running")
        observation.take(board([try session(1, "running"), other], after: 0), departed: [:])
        observation.decided(keeping: [])
        observation.take(board([try session(1, "failed"), other], after: 30), departed: [:])
        observation.take(board([try session(1, "failed"), other], after: 60), departed: [:])
        let subjects = try #require(observation.subjects)
        #expect(status(subjects.all[0].previous) == "running")
        #expect(status(subjects.all[1].previous) == "running")
        #expect(subjects.changed?.indices == [0])
        observation.decided(keeping: [])
        observation.take(board([try session(1, "failed"), other], after: 90), departed: [:])
        #expect(status(observation.subjects?.all[0].previous) == "failed")
    }

    @Test func `a reading that failed takes nothing from the one before it`() throws {
        var observation = observation()
        for status in ["running", "failed"] {
            observation.take(board([try session(1, status)], after: 0), departed: [:])
            observation.decided(keeping: [])
        }
        observation.fail("session", "no route to host")
        observation.take(board([try session(1, "running")], after: 30), departed: [:])
        #expect(status(observation.subjects?.all[0].previous) == "failed")
    }

    @Test func `a session that was read by itself counts until the next reading of the board`() throws {
        var observation = observation()
        let reading = board([try session(1, "running")], after: 0)
        observation.take(reading, departed: [:])
        observation.note(try session(1, "failed").object, of: 1)
        let id = SubjectID(type: "session", id: "1")
        func latest() -> String? {
            status(observation.world(now: start, localNow: start, latest: [id]).latest[id])
        }
        #expect(latest() == "failed")
        observation.take(reading, departed: [:])
        #expect(latest() == "running")
    }
}
