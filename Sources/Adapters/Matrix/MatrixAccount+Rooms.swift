import AdapterKit

extension MatrixAccount {
    /// A room of one of the channels.
    struct Room: Sendable {
        var reader = RoomReader()
        /// The account is in it, and whether it is encrypted or replaced is known.
        var isKnown = false
        /// `/sync` told all of its state.
        var isSynced = false
        /// By whom the account was removed.
        var remover: String?
        /// It has a successor that is not to be followed.
        var isAbandoned = false
    }

    /// The room that a channel's messages go to: entered, readable, and not replaced by another. Says so to its monitor.
    func enter(_ channel: MatrixChannel) async throws(MatrixError) -> String {
        do throws(MatrixError) {
            let room = try await find(channel)
            entered[channel.name] = room
            setProblem(nil, of: channel)
            return room
        } catch {
            if error.isFinal, error.kind != .accountRefused {
                entered[channel.name] = nil
                setProblem(error.reason, of: channel)
            }
            throw error
        }
    }

    /// Sends an event; its id.
    func send(_ event: OutgoingEvent, to room: String) async throws(MatrixError) -> String? {
        let request = MatrixRequest.send(event, to: room)
        do throws(MatrixError) {
            return try await call(request)["event_id"]?.string
        } catch let error where error.kind == .duplicate {
            return nil
        } catch let error where error.kind == .forbidden {
            // Perhaps because it is not in the room any more.
            try await join(room)
        }
        do throws(MatrixError) {
            return try await call(request)["event_id"]?.string
        } catch let error where error.kind == .forbidden {
            throw MatrixError(kind: .forbidden, code: error.code, reason: MatrixAdvice.notAllowed(room, error))
        }
    }

    /// The channels whose messages go to a room, or went there until it was left.
    func channels(in room: String) -> [MatrixChannel] {
        channels.filter { (entered[$0.name] ?? resolved[$0.name] ?? $0.room) == room }
    }

    // MARK: - Steps

    private func find(_ channel: MatrixChannel) async throws(MatrixError) -> String {
        var room: String
        if let known = entered[channel.name] { room = known } else { room = try await resolve(channel) }
        // As many steps as a room is likely to have had versions; a circle ends too.
        for _ in 0..<16 {
            resolved[channel.name] = room
            do throws(MatrixError) {
                try await look(into: room)
            } catch let error where error.kind == .forbidden && channel.isAlias {
                // The alias may stand for another room now.
                await remember(nil, as: aliasName(channel.room))
                throw error
            }
            awaited[channel.name] = rooms[room]?.reader.state.successor
            guard let successor = awaited[channel.name] else { break }
            room = try await follow(from: room, to: successor)
        }
        if rooms[room]?.reader.state.isEncrypted == true, !channel.allowsUnencrypted {
            throw MatrixError(kind: .roomRefused, reason: MatrixAdvice.encrypted(channel.room))
        }
        return room
    }

    /// The id behind an alias: looked up once, so that nobody who points the alias elsewhere moves the channel.
    private func resolve(_ channel: MatrixChannel) async throws(MatrixError) -> String {
        guard channel.isAlias else { return channel.room }
        if let room = await remembered(aliasName(channel.room)) { return room }
        let answer: JSON
        do throws(MatrixError) {
            answer = try await call(.room(alias: channel.room))
        } catch let error where error.kind == .notFound {
            throw MatrixError(
                kind: .notFound, code: error.code,
                reason: "there is no room \(channel.room): correct `room` (\(error.reason))")
        }
        guard let room = answer["room_id"]?.string, room.hasPrefix("!"), room.utf8.count <= 255 else {
            throw MatrixError(kind: .unreadable, reason: "\(identity.address) gave no room for \(channel.room)")
        }
        servers[room] = (answer["servers"]?.elements ?? []).compactMap(\.string)
        await remember(room, as: aliasName(channel.room))
        return room
    }

    /// Learns what a message depends on, unless `/sync` has told; enters the room where that is needed.
    private func look(into room: String) async throws(MatrixError) {
        if let remover = rooms[room]?.remover {
            throw MatrixError(kind: .roomRefused, reason: MatrixAdvice.removed(from: room, by: remover))
        }
        if rooms[room]?.isKnown == true { return }
        let encryption: JSON?
        do throws(MatrixError) {
            encryption = try await content("m.room.encryption", of: room)
        } catch let error where error.kind == .forbidden {
            try await join(room)
            encryption = try await content("m.room.encryption", of: room)
        }
        let tombstone = try await content("m.room.tombstone", of: room)
        if let encryption { rooms[room, default: Room()].reader.learn("m.room.encryption", encryption) }
        if let tombstone { rooms[room, default: Room()].reader.learn("m.room.tombstone", tombstone) }
        rooms[room, default: Room()].isKnown = true
    }

    /// Nil where the room has no such state.
    private func content(_ type: String, of room: String) async throws(MatrixError) -> JSON? {
        do throws(MatrixError) {
            return try await call(.state(type, of: room))
        } catch let error where error.kind == .notFound {
            return nil
        }
    }

    func join(_ room: String) async throws(MatrixError) {
        do throws(MatrixError) {
            _ = try await call(.join(room, via: servers[room] ?? []))
        } catch let error
            where [.forbidden, .notFound].contains(error.kind) || (error.isFinal && error.code == "M_UNKNOWN")
        {
            // The last is what Synapse calls a room that it has never heard of.
            throw MatrixError(kind: .forbidden, code: error.code, reason: MatrixAdvice.notInvited(room, error))
        }
        rooms[room, default: Room()].remover = nil
    }

    // MARK: - Successors

    /// Enters the room that took another's place, if it is one of the channels' or made by the same person: whoever may
    /// close a room could send the bot anywhere otherwise.
    private func follow(from old: String, to new: String) async throws(MatrixError) -> String {
        let name = "matrix successor \(identity.homeserver) \(old)"
        let refusal = MatrixError(kind: .roomRefused, reason: MatrixAdvice.replaced(old, by: new))
        guard new.hasPrefix("!"), new.utf8.count <= 255, rooms[old]?.isAbandoned != true else { throw refusal }
        let isOurs = channels.contains { $0.room == new || resolved[$0.name] == new }
        if isOurs { return new }
        if await remembered(name) == new { return new }
        let creators = try await creators(of: old)
        servers[new] = creators.sorted().compactMap { creator in
            creator.firstIndex(of: ":").map { String(creator[$0...].dropFirst()) }
        }
        try await join(new)
        guard !creators.isDisjoint(with: try await self.creators(of: new)) else {
            rooms[old, default: Room()].isAbandoned = true
            _ = try? await call(.leave(new))
            throw refusal
        }
        await remember(new, as: name)
        log.write(.info, "a Matrix room was replaced, going on in its successor", [("room", old), ("successor", new)])
        return new
    }

    private func creators(of room: String) async throws(MatrixError) -> Set<String> {
        let known = rooms[room]?.reader.state.creators ?? []
        if !known.isEmpty { return known }
        let answer = try await call(.stateEvent("m.room.create", of: room))
        if let event = RoomEvent(answer) { return RoomState.creators(of: event) }
        return Set([answer["creator"]?.string].compactMap(\.self))
    }

    // MARK: - Store

    private func aliasName(_ alias: String) -> String { "matrix room \(identity.homeserver) \(alias)" }

    /// Nil too where the store cannot be read: what it holds can be asked for again.
    func remembered(_ name: String) async -> String? {
        do {
            return try await store.value(name)
        } catch {
            log.write(.warning, "the store cannot be read", [("error", "\(error)")])
            return nil
        }
    }

    func remember(_ value: String?, as name: String) async {
        do {
            try await store.set(name, to: value)
        } catch {
            log.write(.warning, "the store cannot be written", [("error", "\(error)")])
        }
    }
}
