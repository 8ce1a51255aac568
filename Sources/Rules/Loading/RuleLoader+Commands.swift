import CEL

extension RuleLoader {
    private static let longestWord = 32

    /// A word that nothing else answers to.
    func command(_ entry: YAMLEntry) -> Rule.Trigger? {
        guard let word = report.word(entry, "the word of a command") else { return nil }
        let isLetter = { (byte: UInt8) in (0x61...0x7A).contains(byte) }
        let isPart = { (byte: UInt8) in
            isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
        }
        guard word.utf8.first.map(isLetter) == true, word.utf8.allSatisfy(isPart), word.utf8.count <= Self.longestWord
        else {
            let likely = String(decoding: word.lowercased().utf8.filter(isPart).drop { !isLetter($0) }, as: UTF8.self)
            report.error(
                "a command is a word of lower case letters, digits and '-', at most \(Self.longestWord), without the '!' "
                    + "that people put before it", at: entry.value.range,
                suggestion: likely.isEmpty || likely == word || likely.utf8.count > Self.longestWord ? nil : likely)
            return nil
        }
        guard !Language.builtInCommands.contains(word) else {
            report.error("'!\(word)' has a meaning already: choose another word", at: entry.value.range)
            return nil
        }
        return .command(word)
    }

    /// Two rules cannot have the same word.
    ///
    /// - Parameter words: where the words of earlier rules stand.
    func checkWord(of rule: Rule, _ words: inout [String: SourcePosition]) {
        guard case .command(let word) = rule.trigger, let entry = fields["command"] else { return }
        if let first = words[word] {
            report.error("there is a command '\(word)' already, at \(first)", at: entry.value.range)
        } else {
            words[word] = report.source.position(at: entry.value.range.lowerBound)
        }
    }
}

extension StepLoader {
    /// `{in: CHANNEL, by: [PEOPLE], within: 1h}`
    func confirmation(_ entry: YAMLEntry, of action: YAMLEntry) -> Confirmation? {
        guard action.key != "wait", action.key != "reply" else {
            report.error("'confirm' has nothing to ask before '\(action.key)'", at: entry.keyRange)
            return nil
        }
        guard let fields = Fields(entry.value, of: "'confirm'", Language.confirmation, report) else { return nil }
        let channel = fields.required("in", ": the channel where a person is asked")
            .flatMap { report.channel($0, of: context.channels) }
        let within = fields["within"].flatMap { report.duration($0, atLeast: .seconds(60), atMost: .seconds(86_400)) }
        guard let by = fields.required("by", ": [PEOPLE], whose answer counts"), let people = report.elements(by) else {
            return nil
        }
        if people.isEmpty { report.error("'by' names nobody", at: by.keyRange) }
        let names = people.compactMap { report.word($0, "a person as the channel names people") }
        guard let channel, names.count == people.count else { return nil }
        return Confirmation(channel: channel, people: names, within: within ?? .seconds(3_600))
    }

    /// Steps that answer a person, or do what only a person asks for.
    func checkCommandStep(_ action: YAMLEntry) {
        guard Language.commandSteps.contains(action.key), !isCommand else { return }
        report.error("'\(action.key)' goes with 'command', whose rule a person calls", at: action.keyRange)
    }
    /// What is a person's to decide is never done without asking one.
    func checkConfirmedStep(_ action: YAMLEntry, isConfirmed: Bool) {
        guard Language.confirmedSteps.contains(action.key), !isConfirmed else { return }
        report.missing(
            "'\(action.key)' is for a person to decide: add 'confirm: {in: CHANNEL, by: [PEOPLE]}'", at: action.keyRange
        )
    }
}
