import CEL
import Rules
import Testing

@testable import zimmer_bot

/// What a dry run prints.
@Suite struct DryRunTests {
    private func line(_ detail: String) -> String {
        let subject = SubjectID(type: "session", id: "7")
        return Event(at: Timestamp(seconds: 0), .would, rule: "a", subject: subject, detail: detail).line
    }

    @Test func `one step stands beside the rule, several each on a line of their own`() {
        #expect(line("post ops: b") == "would a session 7: post ops: b")
        #expect(
            line("post ops: a\nwait 10 s\npost ops: b\u{1B}[31m")
                == "would a session 7:\n  post ops: a\n  wait 10 s\n  post ops: b[31m")
    }
}
