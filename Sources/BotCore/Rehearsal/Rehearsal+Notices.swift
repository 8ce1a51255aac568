import CEL
package import Rules

/// What the bot would say about itself, of rules and of writes. There are no channels here that could fail.
extension Rehearsal {
    /// Looks for notices from now on.
    ///
    /// - Parameter settings: those of the rules file.
    package mutating func lookForNotices(_ settings: NoticeSettings?) {
        noticePatience = (settings ?? NoticeSettings(channels: [])).cannotTellAfter
    }

    mutating func noteNotices(_ decision: Decision, at now: Timestamp) {
        guard let patience = noticePatience else { return }
        let causes = rules.noticeCauses(memory, patience: patience, now: now) + decision.missedSlots + incidents
        incidents = []
        let isStarting = now - observation.standing.startedAt < max(patience, Ledger.channelPatience) * 2
        for notice in noticeBook.update(causes, now: now, isStarting: isStarting) {
            note(Happening(at: now, what: .told(.notice, notice.text)))
        }
    }
}
