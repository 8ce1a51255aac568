import CEL
import Testing

@testable import zimmer_bot

@Suite struct ScheduleCommandTests {
    @Test func `the next five times from now are printed in the schedule's zone and in UTC`() async {
        let call = await Call("schedule", "0 9 * * mon-fri", "--timezone", "America/Chicago")
        #expect(call.code == .success)
        #expect(
            call.output == """
                LOCAL                      UTC
                2026-10-09T09:00:00-05:00  2026-10-09T14:00:00Z
                2026-10-12T09:00:00-05:00  2026-10-12T14:00:00Z
                2026-10-13T09:00:00-05:00  2026-10-13T14:00:00Z
                2026-10-14T09:00:00-05:00  2026-10-14T14:00:00Z
                2026-10-15T09:00:00-05:00  2026-10-15T14:00:00Z

                """)
    }

    @Test func `JSON has both times, a gap in spring included`() async {
        let call = await Call(
            "schedule", "30 2 * * *", "--timezone", "Europe/Berlin", "--from", "2026-03-29T02:00:00.5+02:00", "--count",
            "2", "--json")
        #expect(
            call.output == """
                [{"local":"2026-03-29T03:00:00+02:00","utc":"2026-03-29T01:00:00Z"},\
                {"local":"2026-03-30T02:30:00+02:00","utc":"2026-03-30T00:30:00Z"}]

                """)
    }

    @Test func `the times come strictly after the given one`() async {
        let call = await Call("schedule", "0 * * * *", "--from", "2026-10-09T12:00:00Z", "--count", "1", "--json")
        #expect(call.output == #"[{"local":"2026-10-09T13:00:00+00:00","utc":"2026-10-09T13:00:00Z"}]"# + "\n")
    }

    @Test func `a list ends where time ends`() async {
        let call = await Call("schedule", "0 0 1 1 *", "--from", "9998-06-01T00:00:00Z", "--count", "9", "--json")
        #expect(call.output == #"[{"local":"9999-01-01T00:00:00+00:00","utc":"9999-01-01T00:00:00Z"}]"# + "\n")
    }

    @Test(arguments: [
        (["0 9 * *"], "five fields"),
        (["0 0 30 2 *"], "never matches"),
        (["* * * * *", "--timezone", "Europe/Berln"], "did you mean 'Europe/Berlin'?"),
        (["* * * * *", "--from", "yesterday"], "--from: 'yesterday'"),
        (["* * * * *", "--count", "-1"], "--count: '-1'"),
        (["*", "*", "*", "*", "*"], "has to be quoted"),
    ])
    func `what cannot be read is a usage error`(arguments: [String], words: String) async {
        let call = await Call(["schedule"] + arguments)
        #expect(call.code == .usage)
        #expect(call.errors.contains(words))
    }
}
