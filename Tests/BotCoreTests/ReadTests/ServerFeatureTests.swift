import CEL
import Testing

@testable import BotCore

@Suite struct ServerFeatureTests {
    private let now = Fixture.now

    @Test func `what is missing is not asked for again for a day`() {
        var features = ServerFeatures()
        features.begin(at: "https://z")
        features.note(.triggers, isMissing: true, at: now)
        #expect(features.lacking(at: now + .seconds(86_399)) == [.triggers])
        #expect(features.lacking(at: now + .seconds(86_400)).isEmpty)
        #expect(features.lacking == [.triggers])
        features.note(.triggers, isMissing: false, at: now)
        #expect(features.lacking.isEmpty)
    }

    @Test func `a clock that was put back does not put the question off for years`() {
        var features = ServerFeatures()
        features.note(.backlog, isMissing: true, at: now + .seconds(10 * 86_400))
        #expect(features.lacking(at: now).isEmpty)
    }

    @Test func `another Zimmer is another matter`() {
        var features = ServerFeatures()
        features.begin(at: "https://a")
        features.note(.backlog, isMissing: true, at: now)
        features.begin(at: "https://a")
        #expect(features.lacking == [.backlog])
        features.begin(at: "https://b")
        #expect(features.lacking.isEmpty)
    }
}
