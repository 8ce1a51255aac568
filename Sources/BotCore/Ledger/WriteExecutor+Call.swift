import CEL
import Rules

/// The call itself, and what its answer says.
extension WriteExecutor {
    func call(_ attempt: Attempt, _ target: TargetReading) async -> Attempt.Outcome {
        switch attempt.need(on: target) {
        case .call(let write): await end(of: attempt, await client.perform(write, timeout: Self.timeout))
        case .personalCall: await carry(attempt)
        case .nothing(let outcome): outcome
        }
    }

    /// Carries a person's word, where the rules file says whose.
    private func carry(_ attempt: Attempt) async -> Attempt.Outcome {
        guard let acting, case .session(let id) = attempt.request.target else {
            return .refused("there is no 'sign_in' in the rules file, so nobody's word can be passed on")
        }
        return await end(of: attempt, await acting.perform(.authorizeMerge(session: id), timeout: Self.timeout))
    }

    private func end(of attempt: Attempt, _ outcome: WriteOutcome) async -> Attempt.Outcome {
        called()
        switch outcome {
        case .done(let receipt): return await done(attempt, receipt)
        case .refused(let error): return await refused(attempt, error)
        case .retry(let error, let after):
            return .retry(error.description, after: pause(attempt, asked: after))
        case .lost(let error):
            let outcome = await settle(attempt)
            guard case .retry = outcome else { return outcome }
            return .retry(error.description, after: pause(attempt, asked: error.retryAfter))
        }
    }

    /// Until the next try: as long as Zimmer asks for, and never less than it would be by itself.
    private func pause(_ attempt: Attempt, asked: Duration?) -> Duration {
        max(asked ?? .zero, attempt.backOff(random()))
    }

    private func refused(_ attempt: Attempt, _ error: ZimmerError) async -> Attempt.Outcome {
        switch attempt.request.kind {
        // The first answer may have arrived, and so may somebody else's.
        case .answer where attempt.number > 1:
            return .unknown("it was answered meanwhile, perhaps by the call whose answer was lost: \(error)")
        case .dismiss where error.code == .notFound: return .done("it is gone")
        default: break
        }
        // What is refused because it is so already was done.
        if attempt.request.kind.settlement == .state, case .done(let detail, _) = await settle(attempt) {
            return .done(detail)
        }
        return .refused(error.description)
    }

    /// Zimmer took the call; what its answer says may still be that it did not do it.
    private func done(_ attempt: Attempt, _ receipt: WriteReceipt) async -> Attempt.Outcome {
        let message = receipt.message ?? ""
        switch attempt.request.kind {
        case .favorite(let wanted) where receipt.favorited == !wanted:
            return .refused("somebody turned the star over at the same moment; it is left as it is")
        case .trigger(let wanted):
            let status = receipt.document.root["trigger"]?["status"]?.string
            guard status == nil || (status == "enabled") == wanted else {
                return .refused("somebody turned the trigger over at the same moment; it is left as it is")
            }
        case .start where receipt.isReplay:
            if let row = receipt.session { return await started(row, attempt) }
        case .invoke where receipt.document.root["burst_notice"]?.bool == true:
            return .refused("the trigger is bursting: Zimmer left a notice instead of a session")
        case .retryFailed:
            if let reason = receipt.reasonAgainst(attempt.request.target.id) { return .refused(reason) }
        default: break
        }
        return .done(message, result: await result(of: receipt))
    }

    /// The session as an answer has it, where it has one.
    private func result(of receipt: WriteReceipt) async -> Snapshot? {
        guard let row = receipt.session.flatMap({ reader.row($0) }) else { return nil }
        return Snapshot(await ledger.reading(of: row).object)
    }

    /// What a write is to, read just now; nil where it is gone.
    func reading(of target: WriteTarget) async throws(ZimmerError) -> TargetReading? {
        switch target {
        case .session(let id):
            guard let row = try await reader.session(id, timeout: Self.timeout) else { return nil }
            return .session(await ledger.observe(row))
        case .notification(let id):
            return try await row("notification", of: .notification) { () throws(ZimmerError) in
                try await client.notification(id, timeout: Self.timeout)
            }
        case .trigger(let id):
            return try await row("trigger", of: .trigger) { () throws(ZimmerError) in
                try await client.trigger(id, timeout: Self.timeout)
            }
        case .elicitation(let id): return try await question(id)
        case .zimmer: return .zimmer
        }
    }

    private func row(
        _ member: String, of kind: ListingKind, _ read: () async throws(ZimmerError) -> ZimmerAnswer
    ) async throws(ZimmerError) -> TargetReading? {
        let answer: ZimmerAnswer
        do throws(ZimmerError) {
            answer = try await read()
        } catch {
            // Only Zimmer's own 404 is about the row.
            if error.code == .notFound, !error.label.isEmpty { return nil }
            throw error
        }
        guard let row = try answer.document().root[member].flatMap({ listingReader.decoder.row($0, of: kind) }) else {
            throw ZimmerError(
                .badBody, status: answer.status, message: "Zimmer's answer has no \(member)",
                requestID: answer.requestID)
        }
        return .row(row.object)
    }

    /// Questions are listed by session, and only while they are open.
    private func question(_ id: Int64) async throws(ZimmerError) -> TargetReading? {
        let number = await ledger.begin(.elicitation)
        let listing = await listingReader.read(.elicitation, for: ledger, timeout: Self.timeout)
        if let error = listing.error { throw error }
        guard listing.isWhole else {
            throw ZimmerError(.badBody, message: listing.problem ?? "the questions were not read whole")
        }
        await ledger.note(listing, number: number)
        let subject = ListingKind.elicitation.subject(String(id))
        return listing.rows.first { $0.id == subject }.map { .row($0.object) }
    }
}

extension WriteReceipt {
    /// The session of an earlier call with the same key.
    fileprivate var isReplay: Bool { document.root["idempotent_replay"]?.bool == true }

    /// Why one session of many was left out.
    fileprivate func reasonAgainst(_ session: Int64?) -> String? {
        let left = document.root.list("failed") + document.root.list("skipped")
        let row = left.first { $0["session_id"]?.int == session }
        return row.map { $0["reason"]?.string ?? "Zimmer left it out" }
    }
}
