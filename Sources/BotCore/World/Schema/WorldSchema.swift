package import CEL

/// The types of everything a rule can name about Zimmer, under the names of its wire where it has one.
///
/// A slot that holds `.error(unavailable)` is a value that Zimmer sent in a form that this version cannot read: it makes
/// a condition "cannot tell", never true or false.
package enum WorldSchema {
    /// Every declared type, for whoever has to find one by name.
    package static let types: [ObjectType] =
        [session, pullRequest, health, costs, zimmer, channel] + healthParts + costsParts + listings

    /// Where `now` lies in an activation: whoever declares the variables of a rule's environment declares those of
    /// `Vocabulary.zimmer` first and in its order, so that a computed field finds it.
    package static let nowSlot = 0

    /// A field that is the time from an instant of the object to `now`.
    static func elapsed(_ name: String, since slot: Int) -> ObjectType.Field {
        let computation = ObjectType.Computation(reads: ["now"], isElapsed: true) { object, activation in
            guard activation.values.indices.contains(nowSlot), case .timestamp(let now) = activation[nowSlot] else {
                return .error(.unreadable("'\(name)' cannot be counted where 'now' has no value"))
            }
            return switch object.slots[slot] {
            case .timestamp(let start): .duration(now - start)
            case .error(let error): .error(error)
            default: .error(.unreadable("there is no time to count '\(name)' from"))
            }
        }
        return ObjectType.Field(name, .duration, compute: computation)
    }
}

extension ObjectType.Field {
    /// Text that is known to take these words; others that a newer Zimmer sends stay as they are.
    static func words(_ name: String, _ known: [String], nullable: Bool = false) -> Self {
        Self(name, nullable ? .nullable(.string) : .string, knownValues: known)
    }
}

extension EvaluationError {
    /// A value that Zimmer did not send in a form that can be read.
    static func unreadable(_ message: String) -> EvaluationError {
        EvaluationError(.unavailable, message)
    }
}
