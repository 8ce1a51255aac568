/// A long-lived part of the daemon.
package protocol Service: Sendable {
    /// For the log: `board reader`.
    var name: String { get }

    /// Works until the task is cancelled, then returns. To return before that says that the whole job is done (`run --once`);
    /// to throw, that the daemon cannot go on.
    func run() async throws

    /// Lets what is under way finish and takes on nothing new, so that the cancellation that follows cuts nothing off.
    /// Called once, beside `run()` or after it; cancelled when the time for draining is over.
    func drain() async
}

extension Service {
    package func drain() async {}
}
