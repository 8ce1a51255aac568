package import CEL

/// What the host lets a rules file name: the things that can be watched, and the variables beside them.
///
/// The Rules module knows nothing of sessions; whoever loads a file hands it these declarations, and later the values.
package struct Vocabulary: Sendable {
    /// A thing that `watch:` can name.
    package struct Watchable: Sendable {
        /// The word after `watch:`, also the variable that holds the subject.
        package var name: String
        package var type: ObjectType
        /// Many subjects (sessions), or one (health).
        package var isCollection: Bool
        /// Steps may write to it: it is a session, or has a `session` field.
        package var hasSession: Bool

        package init(_ name: String, _ type: ObjectType, isCollection: Bool, hasSession: Bool) {
            self.name = name
            self.type = type
            self.isCollection = isCollection
            self.hasSession = hasSession
        }
    }

    /// Something that is always bound, whatever the trigger.
    package struct Variable: Sendable {
        package var name: String
        package var type: Type
        /// How many elements it has at most, as far as that is known.
        package var maximumSize: Int?

        package init(_ name: String, _ type: Type, maximumSize: Int? = nil) {
            self.name = name
            self.type = type
            self.maximumSize = maximumSize
        }
    }

    package var watchables: [Watchable]
    /// `board`, `health`, `costs`, `now`. `vars` and `slot` are the loader's own.
    package var variables: [Variable]

    package init(watchables: [Watchable], variables: [Variable]) {
        self.watchables = watchables
        self.variables = variables
    }

    package func watchable(_ name: String) -> Watchable? {
        watchables.first { $0.name == name }
    }
}
