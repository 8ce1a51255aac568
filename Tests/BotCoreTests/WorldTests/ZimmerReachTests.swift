import CEL
import Testing

@testable import BotCore

@Suite struct ZimmerReachTests {
    private let start = Timestamp(seconds: 1_000_000)
    private let refusedConnection = ZimmerError(.transport, message: "cannot connect", reach: .notSent)
    private let brokenReport = ZimmerError(.serverError, status: 500, label: "Internal", message: "it broke")
    private let badKey = ZimmerError(.signIn, status: 401, label: "Unauthorized", message: "Invalid API key")

    private func reach(_ calls: (String, ZimmerError?)...) -> ZimmerReach {
        var reach = ZimmerReach()
        for (index, call) in calls.enumerated() {
            reach.note(call.0, call.1, at: start + .seconds(Int64(index)))
        }
        return reach
    }

    @Test func `what fails from the first call on cannot be read`() {
        let reach = reach(("board", refusedConnection))
        #expect(reach.trouble?.error.trouble == .unreachable)
        #expect(reach.trouble?.since == start)
    }

    @Test func `one reader that begins to fail is enough, until anybody is answered`() {
        #expect(reach(("health", nil), ("board", nil), ("board", refusedConnection)).trouble != nil)
        #expect(
            reach(("health", nil), ("board", nil), ("board", refusedConnection), ("health", nil)).trouble == nil)
    }

    @Test func `a reader that fails while others are answered says nothing of Zimmer, again and again`() {
        let reach = reach(
            ("board", nil), ("health", nil), ("board", refusedConnection), ("health", nil),
            ("board", refusedConnection),
            ("board", refusedConnection))
        #expect(reach.trouble == nil)
        #expect(reach.error?.message == "cannot connect")
    }

    @Test func `when the others fail too it is Zimmer`() {
        let reach = reach(
            ("board", nil), ("health", nil), ("board", refusedConnection), ("health", nil),
            ("board", refusedConnection),
            ("health", refusedConnection))
        #expect(reach.trouble != nil)
    }

    @Test func `a call that never worked says nothing beside one that does`() {
        #expect(reach(("board", nil), ("backlog", badKey)).trouble == nil)
        #expect(reach(("board", nil), ("board", badKey)).trouble?.error.trouble == .signIn)
    }

    @Test func `an error of Zimmer's own takes several in a row beside calls that work`() {
        #expect(reach(("health", nil), ("board", nil), ("board", brokenReport)).trouble == nil)
        let many = reach(
            ("health", nil), ("board", nil), ("board", brokenReport), ("board", brokenReport), ("board", brokenReport))
        #expect(many.trouble?.error.trouble == .failing)
    }

    @Test func `what Zimmer refuses it has answered`() {
        let refused = ZimmerError(.refused, status: 422, label: "Invalid", message: "no")
        #expect(reach(("board", refusedConnection), ("board", refused)).trouble == nil)
        #expect(reach(("board", refusedConnection), ("board", refused)).error?.message == "no")
    }

    @Test func `who is asked to wait, or gets a page, does not know that Zimmer is back`() {
        let busy = ZimmerError(.rateLimited, status: 429, message: "slow down")
        let page = ZimmerError(.badBody, status: 200, message: "a web page", requestID: "r")
        #expect(reach(("board", refusedConnection), ("board", busy)).trouble != nil)
        #expect(reach(("board", refusedConnection), ("board", page), ("board", refusedConnection)).trouble != nil)
        #expect(reach(("board", refusedConnection), ("board", busy), ("board", nil)).trouble == nil)
        // What lasts is a trouble of its own.
        let lasting = reach(("board", refusedConnection), ("board", busy), ("board", busy), ("board", busy))
        #expect(lasting.trouble == nil)
        #expect(lasting.error?.message == "slow down")
    }

    @Test func `a reader that is no more is forgotten`() {
        var reach = reach(("costs", refusedConnection))
        reach.keep(["board"])
        #expect(reach.trouble == nil)
        #expect(reach.error == nil)
    }

    @Test(arguments: [
        (ZimmerError(.serverError, status: 502, message: ""), ZimmerTrouble.unreachable),
        (ZimmerError(.serverError, status: 500, message: "", requestID: "r"), .failing),
        (ZimmerError(.unavailable, status: 503, label: "busy", message: ""), .failing),
        (ZimmerError(.notFound, status: 404, message: ""), .elsewhere),
        (ZimmerError(.forbidden, status: 403, message: ""), .elsewhere),
        (ZimmerError(.badBody, status: 200, message: "a web page"), .elsewhere),
        (ZimmerError(.edgeRefused, status: 403, message: ""), .edge),
        (ZimmerError(.tunnelMissingRoute, status: 404, message: ""), .tunnel),
        (ZimmerError(.redirected, status: 302, message: ""), .redirected),
    ])
    func `answers are told apart by who can do something`(error: ZimmerError, trouble: ZimmerTrouble) {
        #expect(error.trouble == trouble)
    }

    @Test func `a route that this Zimmer does not have is about that route alone`() {
        #expect(ZimmerError(.notFound, status: 404, message: "", requestID: "r").trouble == nil)
    }
}
