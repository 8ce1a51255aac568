import AdapterKit

extension MatrixAccount {
    /// Where listening stands.
    private struct Cursor {
        /// Nil until something was read that can be gone on from.
        var since: String?
        /// The answer behind `since` could not be read, so often.
        var unreadable = 0
    }

    /// Listens until cancelled: for what people say, and for what becomes of the rooms.
    func run() async {
        var cursor: Cursor?
        var failures = 0
        // A homeserver that answers every poll at once is not asked more often than this.
        var pacer = Pacer(Rate(burst: 20, per: .seconds(1)))
        while !Task.isCancelled {
            var pause = pacer.delay(now: clock.now)
            pacer.take(now: clock.now)
            do throws(MatrixError) {
                try await enterRooms()
                var current = if let cursor { cursor } else { try await begin() }
                defer { cursor = current }
                try await listen(&current)
                failures = 0
                setAccountProblem(nil)
            } catch {
                if Task.isCancelled { return }
                failures += 1
                if !error.isLimit { setAccountProblem(error.reason) }
                pause = Self.pause(after: error, failures: failures, jitter: random())
                if error.kind != .accountRefused {
                    log.write(.warning, "the Matrix connection waits", [("reason", error.reason)])
                }
            }
            if pause > .zero { do { try await clock.sleep(for: pause) } catch { return } }
        }
    }

    /// How long to wait after so many failures in a row.
    static func pause(after error: MatrixError, failures: Int, jitter: Double) -> Duration {
        switch error.kind {
        case .accountRefused: return .seconds(3600)
        case .wait(let duration?, _) where duration >= .seconds(1): return min(duration, longestWait)
        default: break
        }
        let longest = Duration.seconds(min(300, 1 << min(max(failures - 1, 0), 9)))
        return max(longest * min(max(jitter, 0), 1), .milliseconds(100))
    }

    // MARK: - Steps

    private func begin() async throws(MatrixError) -> Cursor {
        if own == nil { own = try await call(.whoAmI)["user_id"]?.string }
        guard own != nil else {
            throw MatrixError(kind: .unreadable, reason: "\(identity.address) does not say who the bot is")
        }
        return Cursor(since: await remembered(cursorName))
    }

    private var cursorName: String { "matrix sync \(identity.homeserver) \(own ?? "")" }

    private func listen(_ cursor: inout Cursor) async throws(MatrixError) {
        let wantsState = entered.values.contains { rooms[$0]?.isSynced != true }
        let known = Array(entered.values)
        let batch: SyncBatch
        do throws(MatrixError) {
            batch = try await read(cursor, wantsState)
        } catch let error where [.unreadable, .refused, .smaller].contains(error.kind) {
            cursor.unreadable += 1
            if cursor.unreadable >= 3, cursor.since != nil {
                // Better a gap than to be deaf for good.
                log.write(.warning, "the Matrix sync begins anew, what was said meanwhile is lost")
                cursor = Cursor()
            }
            throw error
        }
        try await handle(batch, isHistory: cursor.since == nil)
        for room in known { rooms[room]?.isSynced = true }
        if cursor.since != batch.next { await remember(batch.next, as: cursorName) }
        cursor = Cursor(since: batch.next)
    }

    private func read(_ cursor: Cursor, _ wantsState: Bool) async throws(MatrixError) -> SyncBatch {
        let filter = Self.filter(listens: channels.contains { $0.listener != nil })
        let answer = try await call(.sync(since: cursor.since, wantsState: wantsState, filter: filter))
        guard let batch = SyncBatch(answer) else {
            throw MatrixError(kind: .unreadable, reason: "\(identity.address) gave an answer to sync that is none")
        }
        return batch
    }

    /// "Filtering": the few types that are looked at.
    static func filter(listens: Bool) -> JSON {
        let state: [JSON] = [
            "m.room.create", "m.room.power_levels", "m.room.encryption", "m.room.tombstone", "m.room.member",
        ]
        let said: [JSON] = listens ? ["m.room.message", "m.reaction", "m.room.redaction"] : []
        return [
            "presence": ["types": []], "account_data": ["types": []],
            "room": [
                "account_data": ["types": []], "ephemeral": ["types": []],
                // A homeserver remembers which names it gave a device; this process does not.
                "state": ["types": .array(state), "lazy_load_members": true, "include_redundant_members": true],
                "timeline": ["types": .array(state + said), "limit": 50],
            ],
        ]
    }

    /// Tries the channels that have no room yet, each at most every five minutes.
    private func enterRooms() async throws(MatrixError) {
        for channel in channels where entered[channel.name] == nil {
            if let retry = retries[channel.name], retry > clock.now, retry - clock.now <= .seconds(300) { continue }
            do throws(MatrixError) {
                _ = try await enter(channel)
                retries[channel.name] = nil
            } catch let error where error.isFinal && error.kind != .accountRefused || error.kind == .maybe {
                retries[channel.name] = clock.now + .seconds(300)
                log.write(
                    .error, "a Matrix room cannot be used", [("channel", channel.name), ("reason", error.reason)])
            }
        }
    }

    // MARK: - Batches

    /// Takes what is new. Where a listener cannot keep an event, the batch comes again.
    private func handle(_ batch: SyncBatch, isHistory: Bool) async throws(MatrixError) {
        for (room, change) in batch.left { leave(room, change) }
        for room in batch.invited.sorted() { try await accept(room) }
        for (room, change) in batch.joined.sorted(by: { $0.key < $1.key }) where !channels(in: room).isEmpty {
            try await read(change, in: room, isHistory: isHistory)
        }
    }

    private func read(_ change: SyncBatch.Room, in room: String, isHistory: Bool) async throws(MatrixError) {
        let own = own ?? ""
        var preview = rooms[room]?.reader ?? RoomReader()
        let events = preview.read(change, own: own, isHistory: isHistory, now: clock.now)
        let new = events.filter { !handled.contains($0.id) }
        for event in new { try await pass(event, in: room) }
        // Only now, so that a batch that comes again is read as it was the first time.
        let before = rooms[room]?.reader.state ?? RoomState()
        _ = rooms[room, default: Room()].reader.read(change, own: own, isHistory: isHistory, now: clock.now)
        rooms[room]?.isKnown = true
        rooms[room]?.remover = nil
        if let last = new.last {
            // A courtesy: the next one says it again.
            _ = try? await call(.markRead(last.id, in: room))
        }
        let after = rooms[room]?.reader.state ?? before
        if after.isEncrypted != before.isEncrypted || after.successor != before.successor {
            for channel in channels(in: room) { forget(channel) }
        }
    }

    private func pass(_ event: ChatEvent, in room: String) async throws(MatrixError) {
        for channel in channels(in: room) {
            guard let listener = channel.listener else { continue }
            var event = event
            event.channel = channel.name
            do {
                try await listener.receive(event)
            } catch {
                throw MatrixError(
                    kind: .wait(nil, isLimit: false),
                    reason: "an event cannot be kept: \("\(error)".printableLine.clipped(to: 200))")
            }
        }
        handled.insert(event.id)
    }

    /// An invitation to a room of a channel, or to what took its place; others are left alone.
    private func accept(_ room: String) async throws(MatrixError) {
        for channel in channels where awaited[channel.name] == room { forget(channel) }
        let wanted = channels(in: room)
        guard !wanted.isEmpty else { return }
        do throws(MatrixError) {
            try await join(room)
        } catch let error where error.isFinal && error.kind != .accountRefused {
            log.write(.warning, "an invitation cannot be accepted", [("room", room), ("reason", error.reason)])
        }
        for channel in wanted { forget(channel) }
    }

    private func leave(_ room: String, _ change: SyncBatch.Room) {
        let events = change.timeline + change.state
        guard
            let removal = events.last(where: { $0.type == "m.room.member" && $0.stateKey == own }),
            removal.content["membership"]?.string != "join"
        else { return }
        rooms[room]?.isKnown = false
        rooms[room]?.isSynced = false
        guard removal.sender != own else { return }
        for channel in channels(in: room) {
            rooms[room, default: Room()].remover = removal.sender.printableLine.clipped(to: 255)
            forget(channel)
        }
    }

    /// Has the channel's room looked at anew.
    private func forget(_ channel: MatrixChannel) {
        entered[channel.name] = nil
        retries[channel.name] = nil
    }
}
