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
                return await stillLooking(attempt, "no message with our mark in the queue or the conversation")
            case .log:
                if try await isLogged(attempt) { return .done("found by its mark") }
                return await stillLooking(attempt, "no line with our mark in the log")
            case .snooze, .hide, .show, .archive, .appendNote, .replaceNote, .favorite:
                guard let row = try await reader.session(attempt.request.session, timeout: .seconds(30)) else {
                    return .refused("session \(attempt.request.session) is gone")
                }
                let session = await ledger.observe(row)
                if attempt.isInEffect(on: session) { return .done("read back") }
                if case .favorite = attempt.request.kind, await age(of: attempt) < Self.settling {
                    // One that is still on its way would turn back what another one turned.
                    return .unsettled("the star is not yet as it was wanted")
                }
                return .retry("it had no effect", after: backOff(attempt.number))
            }
        } catch {
            let limit = attempt.request.isState ? PreparedRule.patience : Self.searching
            return await stillLooking(attempt, error.description, atMost: limit)
        }
    }

    private func stillLooking(
        _ attempt: Attempt, _ reason: String, atMost limit: Duration = settling
    ) async -> Attempt.Outcome {
        await age(of: attempt) < limit ? .unsettled(reason) : .unknown(reason)
    }

    private func age(of attempt: Attempt) async -> Duration {
        await ledger.instant() - attempt.intendedAt
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
