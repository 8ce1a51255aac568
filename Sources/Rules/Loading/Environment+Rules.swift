package import CEL

extension Environment {
    /// What expressions of rules may name: the host's variables first and in its order, `vars`, then the subject or the
    /// slot; with the functions of rules, in a time zone.
    package static func rules(
        _ vocabulary: Vocabulary, constants: ObjectType, watching watched: [Vocabulary.Watchable] = [],
        hasSlot: Bool = false, zone: String
    ) -> Environment {
        var options = Environment.Options()
        options.absence = true
        options.clock = "now"
        options.mixedComparisons = true
        var environment = Environment(options: options)
        for variable in vocabulary.variables {
            environment.declare(variable.name, variable.type, maximumSize: variable.maximumSize)
        }
        environment.declare("vars", .object(constants))
        for watchable in watched where environment.slot(of: watchable.name) == nil {
            environment.declare(watchable.name, .object(watchable.type))
        }
        if hasSlot { environment.declare("slot", .object(Slot.type)) }
        for function in RuleFunctions.all(zone: zone, nowSlot: environment.slot(of: "now")) {
            environment.register(function)
        }
        for function in RuleFunctions.keyed { environment.register(keyed: function) }
        return environment
    }
}
