import CEL
import Rules

// What follows from what is seen of a call, wherever it was made: by the executor, or in a rehearsal, which makes none.
extension Attempt {
    /// How long the effect of a call with a lost answer may take to show.
    static let settling: Duration = .seconds(60)
    /// How long it is looked for while Zimmer cannot be read. A state is looked for longer: it can be asked for again.
    static let searching: Duration = .seconds(3_600)

    enum Need {
        case call(ZimmerWrite)
        /// It is a person's to ask for, under their own sign-in.
        case personalCall
        case nothing(Outcome)
    }

    /// The call to make, or how this ended where the session shows that none is needed.
    func need(on target: TargetReading) -> Need {
        // An earlier attempt that arrived late: a note must not be appended twice.
        if number > 1, isInEffect(on: target) { return .nothing(.done("read back")) }
        if request.kind == .authorizeMerge {
            return isInEffect(on: target) ? .nothing(.done("it was so already")) : .personalCall
        }
        return zimmerWrite(on: target).map { .call($0) } ?? .nothing(.done("it was so already"))
    }

    /// What became of a call that says how something is to be.
    ///
    /// - Parameters:
    ///   - target: as it is now; nil where it is gone.
    ///   - age: how long ago the call was made.
    func settled(by target: TargetReading?, after age: Duration, backOff: Duration) -> Outcome {
        guard let target else {
            return request.kind == .dismiss ? .done("it is gone") : .refused("\(request.target) is gone")
        }
        if isInEffect(on: target) { return .done("read back") }
        // One that is still on its way would come after another one: turn back what that turned, or set what it set again.
        if age < Self.settling { return .unsettled("it is not yet as it was wanted") }
        if request.kind.mayHavePassed, target.time("updated_at") != request.unchangedSince {
            return .unknown(
                "the session is \(target.text("status") ?? "?") and changed since, so it may have been again")
        }
        return .retry("it had no effect", after: backOff)
    }

    /// What becomes of a call whose text is not found: it may still be on its way.
    func notFound(_ reason: String, after age: Duration) -> Outcome {
        age < Self.settling ? .unsettled(reason) : .unknown(reason)
    }

    /// What becomes of a call while nothing can be read.
    func unreadable(_ reason: String, after age: Duration) -> Outcome {
        let limit = request.isState ? PreparedRule.patience : Self.searching
        return age < limit ? .unsettled(reason) : .unknown(reason)
    }

    /// Exponential from a second to five minutes, with full jitter.
    ///
    /// - Parameter random: from 0 to 1.
    func backOff(_ random: Double) -> Duration {
        let longest = min(300, Double(1 << min(number - 1, 10)))
        return .milliseconds(Int(max(0.1, longest * random) * 1_000))
    }
}

/// How it is found out what became of a call whose answer was lost.
enum Settlement {
    /// By reading whether it is as it was wanted.
    case state
    /// By our mark, in texts.
    case mark
    /// By what Zimmer made of it.
    case trace
    /// Not at all: it is made again until an answer comes, which changes nothing.
    case again
}

extension WriteRequest.Kind {
    var settlement: Settlement {
        switch self {
        case .followUp, .log: .mark
        case .start, .push, .invoke: .trace
        case .refresh, .markAllRead, .cleanUpProcesses, .enterRecovery, .exitRecovery, .backfillCosts: .again
        // A second answer is refused.
        case .answer: .again
        case .restart, .pause, .sleep, .startNow, .archive, .unarchive, .snooze, .hide, .show, .set, .appendNote,
            .replaceNote, .favorite, .heartbeat, .model, .markRead, .dismiss, .trigger, .authorizeMerge, .retryFailed:
            .state
        }
    }

    var isAnswer: Bool { if case .answer = self { true } else { false } }

    /// It may have taken effect and be over again: a session that was restarted failed once more.
    var mayHavePassed: Bool {
        switch self {
        case .restart, .retryFailed, .startNow: true
        default: false
        }
    }
}

extension WriteRequest {
    /// Says how something is to be, so that it can be read back or asked for again.
    var isState: Bool {
        switch kind.settlement {
        case .state, .again: true
        case .mark, .trace: false
        }
    }

    /// Remembers what tells later, when its answer was lost, whether it had an effect.
    mutating func noteBefore(_ target: TargetReading) {
        if case .appendNote(let text) = kind { standing = target.session?.notes.count(ofLines: text) }
        if kind.mayHavePassed { unchangedSince = target.time("updated_at") }
        if case .invoke = kind, case .int(let session)? = target["last_session_id"] { newestBefore = session }
    }
}
