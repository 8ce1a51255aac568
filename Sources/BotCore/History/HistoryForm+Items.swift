import CEL
import Rules

// What is written in the same form wherever it occurs, and how it is read.

extension Intake {
    var form: HistoryForm.Intake {
        switch self {
        case .board: .board
        case .health: .health
        case .listing: .listing
        case .costs: .costs
        case .failed: .failed
        case .failedCosts: .failedCosts
        case .standing: .standing
        case .channels: .channels
        }
    }
}

extension ZimmerStanding {
    /// The same but for the time of the last reading, which the readings themselves tell.
    func isLike(_ other: ZimmerStanding?) -> Bool {
        guard var other else { return false }
        other.lastReadAt = lastReadAt
        return self == other
    }
}

extension ByteWriter {
    mutating func standing(_ standing: ZimmerStanding) {
        flag(standing.isReachable)
        optional(standing.lastReadAt)
        timestamp(standing.startedAt)
        optional(standing.error)
        duration(standing.serverTimeSkew)
        text(standing.signIn.rawValue)
    }

    mutating func channel(_ channel: ChannelStatus) {
        text(channel.channel)
        text(channel.state.rawValue)
        optional(channel.since)
        optional(channel.pausedUntil)
        optional(channel.error)
        signed(Int64(channel.waiting))
        optional(channel.lastDeliveredAt)
        signed(Int64(channel.deadLetters))
    }
}

extension ByteReader {
    mutating func standing() throws(Failure) -> ZimmerStanding {
        let isReachable = try flag()
        let readAt = try optionalTimestamp()
        var standing = ZimmerStanding(isReachable: isReachable, lastReadAt: readAt, startedAt: try timestamp())
        standing.error = try optionalText()
        standing.serverTimeSkew = try duration()
        standing.signIn = ZimmerStanding.SignIn(rawValue: try text()) ?? .ok
        return standing
    }

    mutating func channel() throws(Failure) -> ChannelStatus {
        var channel = ChannelStatus(channel: try text())
        channel.state = ChannelStatus.State(rawValue: try text()) ?? .up
        channel.since = try optionalTimestamp()
        channel.pausedUntil = try optionalTimestamp()
        channel.error = try optionalText()
        channel.waiting = Int(clamping: try signed())
        channel.lastDeliveredAt = try optionalTimestamp()
        channel.deadLetters = Int(clamping: try signed())
        return channel
    }
}

// MARK: - What became of a session that left the board

extension ValueEncoder {
    /// - Parameter last: the session as the reader knows it.
    mutating func departure(_ departure: Departure, last: Object?) {
        switch departure {
        case .archived(let object):
            writer.byte(HistoryForm.Departure.archived.rawValue)
            patch(last.map(Value.object), .object(object))
        case .gone: writer.byte(HistoryForm.Departure.gone.rawValue)
        case .unreadable(let reason):
            writer.byte(HistoryForm.Departure.unreadable.rawValue)
            writer.text(reason)
        }
    }
}

extension ValueDecoder {
    mutating func departure(last: Object?) throws(ByteReader.Failure) -> Departure {
        switch try reader.word(HistoryForm.Departure.self) {
        case .archived: .archived(try object(last))
        case .gone: .gone
        case .unreadable: .unreadable(try reader.text())
        }
    }

    /// An object, told by what changed.
    mutating func object(_ last: Object?) throws(ByteReader.Failure) -> Object {
        guard case .object(let object) = try patched(last.map(Value.object)) else { throw .noSuchValue }
        return object
    }
}

// MARK: - Acts

extension ByteWriter {
    mutating func act(_ act: RecordedAct) {
        switch act {
        case .attempted(let key): form(.attempted, key)
        case .concluded(let key, let outcome):
            switch outcome {
            // What it answered is for texts alone.
            case .done(let detail, _): form(.done, key, detail)
            case .refused(let reason): form(.refused, key, reason)
            // When it may be tried again is told by the next attempt.
            case .retry(let reason, _): form(.retry, key, reason)
            case .unsettled(let reason): form(.unsettled, key, reason)
            case .unknown(let reason): form(.unknown, key, reason)
            }
        case .withheld(let key, let reason, let isGivenUp): form(isGivenUp ? .gaveUp : .withdrawn, key, reason)
        case .skipped(let key, let reason): form(.skipped, key, reason)
        case .steered(let rule, let steering):
            byte(HistoryForm.Act.steered.rawValue)
            text(rule)
            flag(steering.awaitsRelease)
            optional(steering.pausedUntil)
            optional(steering.askedAt)
        case .acknowledged(let rule, let subject, let person):
            byte(HistoryForm.Act.acknowledged.rawValue)
            for text in [rule, subject?.type, subject?.id] { optional(text) }
            text(person)
        }
    }

    private mutating func form(_ form: HistoryForm.Act, _ key: RunKey, _ detail: String = "") {
        byte(form.rawValue)
        for text in [key.rule, key.subject.type, key.subject.id, key.key, key.part.word, detail] { self.text(text) }
        signed(Int64(key.episode))
    }
}

extension ByteReader {
    mutating func act() throws(Failure) -> RecordedAct {
        let form = try word(HistoryForm.Act.self)
        switch form {
        case .steered:
            let rule = try text()
            let steering = RecordedAct.Steering(
                awaitsRelease: try flag(), pausedUntil: try optionalTimestamp(), askedAt: try optionalTimestamp())
            return .steered(rule: rule, steering)
        case .acknowledged:
            let rule = try optionalText()
            let (type, id) = (try optionalText(), try optionalText())
            let subject = type.flatMap { type in id.map { SubjectID(type: type, id: $0) } }
            return .acknowledged(rule: rule, subject, by: try text())
        default: return try actOfRun(form)
        }
    }

    private mutating func actOfRun(_ form: HistoryForm.Act) throws(Failure) -> RecordedAct {
        let rule = try text()
        let subject = SubjectID(type: try text(), id: try text())
        let value = try text()
        let part = Run.Part(word: try text()) ?? .steps
        let detail = try text()
        let key = RunKey(rule: rule, subject: subject, key: value, episode: Int(clamping: try signed()), part: part)
        return switch form {
        case .attempted: .attempted(key)
        case .done: .concluded(key, .done(detail))
        case .refused: .concluded(key, .refused(detail))
        case .retry: .concluded(key, .retry(detail, after: nil))
        case .unsettled: .concluded(key, .unsettled(detail))
        case .unknown: .concluded(key, .unknown(detail))
        case .withdrawn: .withheld(key, reason: detail, isGivenUp: false)
        case .gaveUp: .withheld(key, reason: detail, isGivenUp: true)
        case .skipped: .skipped(key, reason: detail)
        case .steered, .acknowledged: throw Failure("the recording has an act of no run in the place of one")
        }
    }
}
