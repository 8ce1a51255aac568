import CEL
import Rules

extension WriteExecutor {
    /// Finds out what became of a call whose answer was lost, or that a crash interrupted.
    ///
    /// A state is read back, and set again if it is not there. A text is looked for by our mark, in the queue and in the
    /// conversation; when it is not found after a while it is `unknown`: it may still be on its way.
    func settle(_ attempt: Attempt) async -> Attempt.Outcome {
        do throws(ZimmerError) {
            switch attempt.request.kind {
            case .followUp:
                if try await isQueued(attempt) { return .done("found by its mark in the queue") }
                if try await isSaid(attempt) { return .done("found by its mark in the conversation") }
                return attempt.notFound(
                    "no message with our mark in the queue or the conversation", at: await ledger.instant())
            case .log:
                if try await isLogged(attempt) { return .done("found by its mark") }
                return attempt.notFound("no line with our mark in the log", at: await ledger.instant())
            case .snooze, .hide, .show, .archive, .appendNote, .replaceNote, .favorite:
                let row = try await reader.session(attempt.request.session, timeout: .seconds(30))
                var session: SessionReading?
                if let row { session = await ledger.observe(row) }
                return attempt.settled(by: session, at: await ledger.instant(), backOff: attempt.backOff(random()))
            }
        } catch {
            return attempt.unreadable(error.description, at: await ledger.instant())
        }
    }

    private func isQueued(_ attempt: Attempt) async throws(ZimmerError) -> Bool {
        let answer = try await client.queue(of: attempt.request.session).document()
        return answer.root["enqueued_messages"].holds(attempt.mark, in: "content")
    }

    private func isSaid(_ attempt: Attempt) async throws(ZimmerError) -> Bool {
        let answer = try await client.conversation(of: attempt.request.session).document()
        return answer.root["messages"].holds(attempt.mark, in: "content")
    }

    private func isLogged(_ attempt: Attempt) async throws(ZimmerError) -> Bool {
        let answer = try await client.logs(of: attempt.request.session).document()
        return answer.root["logs"].holds(attempt.mark, in: "content")
    }
}

extension JSONValue? {
    /// Whether an element's text begins with a mark.
    fileprivate func holds(_ mark: String, in member: String) -> Bool {
        guard let self, self.kind == .array else { return false }
        return self.elements.contains { $0[member]?.string?.hasPrefix(mark) ?? false }
    }
}
