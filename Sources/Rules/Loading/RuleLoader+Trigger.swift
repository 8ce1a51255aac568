import CEL

/// When a rule runs.
extension RuleLoader {
    func trigger() -> Rule.Trigger? {
        if let command = fields["command"] {
            let trigger = self.command(command)
            guard let other = fields["watch"] ?? fields["schedule"] else { return trigger }
            report.error("'\(other.key)' and 'command' in one rule: it has one trigger", at: other.keyRange)
            return nil
        }
        switch (fields["watch"], fields["schedule"]) {
        case (let watch?, nil): return watched(watch)
        case (nil, let schedule?): return self.schedule(schedule).map { .schedule($0) }
        case (let watch?, let schedule?):
            guard case .watch(let watchable)? = watched(watch) else {
                _ = self.schedule(schedule)
                return nil
            }
            guard watchable.hasSession, watchable.isCollection, watchable.name == "session" else {
                report.error("beside 'schedule' only 'watch: session' is possible", at: watch.value.range)
                return nil
            }
            return self.schedule(schedule).map { .sweep($0, watchable) }
        case (nil, nil):
            _ = fields.required("watch", " or 'schedule': when it runs")
        }
        return nil
    }

    func watched(_ entry: YAMLEntry) -> Rule.Trigger? {
        let vocabulary = context.vocabulary
        return report.choice(entry, vocabulary.watchables.map(\.name)).flatMap(vocabulary.watchable).map { .watch($0) }
    }

    func schedule(_ entry: YAMLEntry) -> CronSchedule? {
        guard let text = report.text(entry, "a schedule such as \"0 9 * * 1-5\""),
            let scalar = report.scalar(entry, "a schedule")
        else { return nil }
        do throws(CronError) {
            return try CronSchedule(parsing: text)
        } catch {
            let map = ScalarMap(scalar, at: entry.value.range, in: report.source.bytes)
            report.error("'schedule': \(error.message)", at: map[error.range])
            return nil
        }
    }

    func checkSlots(of schedule: CronSchedule, _ jitter: Duration, _ zone: String) {
        guard let entry = fields["schedule"] else { return }
        var slots: [Timestamp] = []
        while slots.count < 3, let next = schedule.next(after: slots.last ?? context.now, in: zone) {
            slots.append(next)
        }
        if let entry = fields["jitter"], slots.count > 1, jitter >= slots[1] - slots[0] {
            report.error("'jitter' has to be shorter than the time between two slots", at: entry.value.range)
        }
        if slots.isEmpty {
            report.error("'schedule': the clock of \(zone) skips every time that matches", at: entry.value.range)
        } else if schedule.matchesEitherDay {
            let clock = LocalClock.named(zone)
            let dates = slots.map { slot in
                CivilDate(daysSinceEpoch: Int(clock.local(slot.seconds).flooredQuotient(86_400))).text
            }
            report.warning(
                "'schedule' runs on days that match either the day of the month or the weekday, next on "
                    + dates.joined(separator: ", "), at: entry.value.range)
        }
    }

    /// Keys of the other trigger would have no effect.
    func checkKeys(of trigger: Rule.Trigger) {
        let (own, others, wrong) =
            switch trigger {
            case .watch: ("watch", "'schedule'", Language.scheduleKeys)
            case .schedule: ("schedule", "'watch'", Language.watchKeys + Language.subjectKeys)
            case .sweep: ("schedule", "'watch' alone", Language.watchKeys)
            case .command:
                ("command", "'watch'", Language.watchKeys + Language.subjectKeys + Language.scheduleKeys)
            }
        for entry in fields.ordered where wrong.contains(entry.key) {
            let partner = Language.scheduleKeys.contains(entry.key) ? "'schedule'" : others
            report.error("'\(entry.key)' goes with \(partner), not with '\(own)'", at: entry.keyRange)
        }
    }

    /// What a misspelt `watch` was to be.
    var likelyTrigger: Rule.Trigger? {
        guard case .scalar(let word) = fields["watch"]?.value.content else { return nil }
        if let watchable = context.vocabulary.watchable(word.text) { return .watch(watchable) }
        return NearMiss.best(of: context.vocabulary.watchables.map(\.name), for: word.text)
            .flatMap(context.vocabulary.watchable).map { .watch($0) }
    }
}
