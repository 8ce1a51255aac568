package import CEL

/// A file of tests for rules: what is read when, and what the rules are to make of it (docs/testing-rules.md).
package struct ScenarioFile: Sendable {
    package struct Test: Sendable {
        package var name: String
        package var position: SourcePosition
        /// When the bot is started.
        package var start: Timestamp
        /// The rules that take part; nil for all.
        package var only: Set<String>?
        /// In the order of time.
        package var steps: [Step]
    }

    package struct Step: Sendable {
        package var position: SourcePosition
        /// Since the start of the test.
        package var at: Duration
        /// What there is to be read from then on, by the word of `watch`.
        package var readings: [Reading] = []
        /// What no longer exists.
        package var gone: [SubjectID] = []
        /// Readers that get no answer from then on, and those that do again.
        package var fails: [String] = []
        package var works: [String] = []
        /// The bot is killed, and comes back after so long.
        package var restart: Duration?
        /// Other rules come in force.
        package var reload: RuleFile?
        /// What people ask of the bot, before anything is read.
        package var wishes: [Wish] = []
        /// What Zimmer makes of writes from then on, by the word of the rule's step.
        package var fates: [String: WriteFate] = [:]
        /// Everything that is to have happened since the step before; nil: that is not looked at.
        package var expected: [Expectation]?
    }

    package struct Reading: Sendable {
        package var watchable: String
        /// With the subject's own id where there are many.
        package var objects: [(id: String, sketch: Sketch)]
    }

    /// As it was given.
    package var name: String
    package var rules: RuleFile
    package var tests: [Test]
}

/// Something that is to happen in a test.
package struct Expectation: Sendable {
    package enum What: Hashable, Sendable {
        /// The channel.
        case post(String)
        /// The step's word.
        /// Nil for what is asked of Zimmer as a whole.
        case write(String, id: Int64?)
        /// The word of what holds it.
        case held(String)
        /// A part of the text.
        case told(Telling, String)
    }

    /// A value that has to be as it is written, or to contain it.
    package struct Detail: Sendable {
        package var name: String
        package var value: Value
        package var isPart: Bool
    }

    package var position: SourcePosition
    /// As it is written, on one line.
    package var source: String
    package var rule: String?
    package var subject: SubjectID?
    package var what: What
    package var details: [Detail]
    /// So many of its kind.
    package var count: Int
}

/// What the host tells the loader of a scenario beside the vocabulary of rules.
package struct ScenarioWords: Sendable {
    package var vocabulary: Vocabulary
    /// The word of the reader that reads a thing, where it has another name than the key of its readings.
    package var readers: [String: String]
    /// What is neither read nor can be made to fail.
    package var unread: Set<String>
    /// By type: fields that count the time since another.
    package var elapsed: [String: [String: String]]
    /// By type: fields that follow from others, with what to write instead.
    package var derived: [String: [String: String]]

    package init(
        _ vocabulary: Vocabulary, readers: [String: String] = [:], unread: Set<String> = [],
        elapsed: [String: [String: String]] = [:], derived: [String: [String: String]] = [:]
    ) {
        self.vocabulary = vocabulary
        self.readers = readers
        self.unread = unread
        self.elapsed = elapsed
        self.derived = derived
    }

    /// The key under which readings of a thing stand: `sessions`, `health`.
    func key(of watchable: Vocabulary.Watchable) -> String {
        // A backlog has no plural.
        watchable.isCollection && watchable.name != "backlog" ? watchable.name + "s" : watchable.name
    }

    /// The word for `fail`; nil for what is not read.
    package func reader(of watchable: Vocabulary.Watchable) -> String? {
        unread.contains(watchable.name) ? nil : readers[watchable.name] ?? key(of: watchable)
    }

    /// Things of which there are many, each named by its word and id.
    var collections: [String] { vocabulary.watchables.filter(\.isCollection).map(\.name) }

    var readerNames: [String] { vocabulary.watchables.compactMap(reader) }
}
