import CEL
import Rules

extension WriteExecutor {
    /// Finds out what became of a call whose answer was lost, or that a crash interrupted.
    ///
    /// A state is read back, and set again if it is not there. A text is looked for by our mark, in the queue and in the
    /// conversation, what Zimmer makes of a call by when it made it; when that is not found after a while it is `unknown`:
    /// it may still be on its way.
    func settle(_ attempt: Attempt) async -> Attempt.Outcome {
        do throws(ZimmerError) {
            return switch attempt.request.kind.settlement {
            case .state: try await settleByState(attempt)
            case .mark: try await settleByMark(attempt)
            case .trace: try await settleByTrace(attempt)
            case .again: await askAgain(attempt)
            }
        } catch {
            return attempt.unreadable(error.description, after: await ledger.age(of: attempt))
        }
    }

    /// Makes a call once more that changes nothing where it was carried out before, until an answer comes.
    private func askAgain(_ attempt: Attempt) async -> Attempt.Outcome {
        guard let write = attempt.zimmerWrite(on: .zimmer) else { return .unknown("it cannot be found out") }
        switch await client.perform(write, timeout: Self.timeout) {
        case .done(let receipt): return .done(receipt.message ?? "asked once more")
        case .refused(let error) where attempt.request.kind.isAnswer:
            return .unknown("it was answered meanwhile, perhaps by the call whose answer was lost: \(error)")
        case .refused(let error): return .refused(error.description)
        case .retry(let error, _), .lost(let error):
            return attempt.unreadable(error.description, after: await ledger.age(of: attempt))
        }
    }

    private func settleByState(_ attempt: Attempt) async throws(ZimmerError) -> Attempt.Outcome {
        let target = try await reading(of: attempt.request.target)
        return attempt.settled(by: target, after: await ledger.age(of: attempt), backOff: attempt.backOff(random()))
    }

    // MARK: - By mark

    private func settleByMark(_ attempt: Attempt) async throws(ZimmerError) -> Attempt.Outcome {
        guard let session = attempt.request.target.session else { return .unknown("it is to no session") }
        if case .log = attempt.request.kind {
            let lines = NewestRows(name: "logs") { [client] slice throws(ZimmerError) in
                try await client.logs(of: session, slice)
            }
            let isThere: Bool? = try await lines.first { line in
                line["content"]?.string?.hasPrefix(attempt.mark) == true ? true : nil
            }
            if isThere != nil { return .done("found by its mark") }
            return attempt.notFound("no line with our mark in the log", after: await ledger.age(of: attempt))
        }
        // One after the other, and each gone before the next is asked for: both may be large.
        if let found = try await traceInQueue(of: session, attempt) {
            return .done("found by its \(found) in the queue")
        }
        if let found = try await traceInConversation(of: session, attempt) {
            return .done("found by its \(found) in the conversation")
        }
        return attempt.notFound(
            "no message with our mark or text in the queue or the conversation", after: await ledger.age(of: attempt))
    }

    private func traceInQueue(of session: Int64, _ attempt: Attempt) async throws(ZimmerError) -> String? {
        let queue = NewestRows(name: "enqueued_messages") { [client] slice throws(ZimmerError) in
            try await client.queue(of: session, slice)
        }
        return try await queue.first(where: attempt.trace)
    }

    private func traceInConversation(of session: Int64, _ attempt: Attempt) async throws(ZimmerError) -> String? {
        let newest = try await client.newestMessages(of: session, atMost: 200, timeout: Self.timeout)
        return newest.root.list("messages").lazy.compactMap(attempt.trace).first
    }

    // MARK: - By trace

    private func settleByTrace(_ attempt: Attempt) async throws(ZimmerError) -> Attempt.Outcome {
        switch (attempt.request.kind, attempt.request.target) {
        case (.start, _): return try await settleStart(attempt)
        case (.push, .session(let session)):
            let rows = try await client.notifications().document().root.list("notifications")
            let isThere = rows.contains { row in
                row["notification_type"]?.string == "custom_message" && row["session_id"]?.int == session
                    && attempt.isNoOlder(row)
            }
            if isThere { return .done("found in the inbox") }
            return attempt.notFound("no message of that time in the inbox", after: await ledger.age(of: attempt))
        case (.invoke(let variables), .trigger(let trigger)):
            return try await settleInvoke(attempt, of: trigger, variables)
        default: return .unknown("it cannot be found out")
        }
    }

    /// Looks for the session among the newest, by the key that was sent with it; with a server that knows no keys by its
    /// prompt. With a key it may be asked for again, as that makes no second one.
    private func settleStart(_ attempt: Attempt) async throws(ZimmerError) -> Attempt.Outcome {
        let sessions = NewestRows(name: "sessions") { [client] slice throws(ZimmerError) in
            try await client.newestSessions(slice, timeout: Self.timeout)
        }
        var hasKeys = false
        let ours: JSONValue? = try await sessions.first { row in
            hasKeys = hasKeys || row["idempotency_key"] != nil
            return row["idempotency_key"]?.string == attempt.key ? row : nil
        }
        if let ours { return await started(ours, attempt) }
        let age = await ledger.age(of: attempt)
        if hasKeys {
            let outcome = attempt.notFound("no session has our key", after: age)
            if case .unknown = outcome { return .retry("no session has our key", after: attempt.backOff(random())) }
            return outcome
        }
        guard case .start(let members) = attempt.request.kind, case .text(let prompt)? = members["prompt"] else {
            return .unknown("it has no prompt to look for")
        }
        let found: JSONValue? = try await sessions.first { row in
            attempt.isNoOlder(row) && row["prompt"]?.string?.trimmedLike(prompt) == true ? row : nil
        }
        if let found { return await started(found, attempt) }
        return attempt.notFound("no session with this prompt was made since", after: age)
    }

    /// What an earlier call made. One that never began, because its call was cut off, is given a push.
    func started(_ row: JSONValue, _ attempt: Attempt) async -> Attempt.Outcome {
        guard let session = reader.row(row) else { return .done("made before") }
        if session.status == SessionStatus.waiting.rawValue, row["job_id"]?.kind == .null {
            _ = await client.perform(.restart(session: session.id), timeout: Self.timeout)
        }
        return .done(
            "session \(session.id), made before", result: Snapshot(await ledger.reading(of: session).object))
    }
}

extension Attempt {
    /// It was made after this call, in whole seconds as Zimmer has them.
    func isNoOlder(_ row: JSONValue) -> Bool {
        guard let text = row["created_at"]?.string, let time = WireTime.instant(text) else { return false }
        return time.seconds >= intendedAt.seconds
    }
}

extension Attempt {
    /// By what a message of a session is known to be ours: its mark or, where somebody took that off, its whole text in a
    /// message no older than the call. Nil for another's.
    fileprivate func trace(of message: JSONValue) -> String? {
        guard case .followUp(let prompt, _) = request.kind, let content = message["content"]?.string else { return nil }
        if content.hasPrefix(mark) { return "mark" }
        let said = ["created_at", "timestamp"].lazy.compactMap { message[$0]?.string }.first.flatMap(WireTime.instant)
        guard let said, said.seconds >= intendedAt.seconds - Self.clockTolerance else { return nil }
        return content.isWhole(prompt) ? "text" : nil
    }

    /// Seconds by which Zimmer's clock and ours are taken to agree.
    private static let clockTolerance: Int64 = 5
}

extension String {
    /// The same text, also where Zimmer cut a long one short.
    fileprivate func isWhole(_ text: String) -> Bool {
        if trimmedLike(text) { return true }
        let cut = "\n...[truncated]"
        guard hasSuffix(cut) else { return false }
        let beginning = dropLast(cut.count)
        return beginning.unicodeScalars.count >= 4_000 && text.hasPrefix(beginning)
    }
}

extension JSONValue {
    /// The elements of a member; none where there is no list.
    func list(_ member: String) -> [JSONValue] { self[member].map { Array($0.elements) } ?? [] }
}
