/// What is known of the type variables of an expression, and whether one type may stand where another is wanted.
///
/// `dyn` fits everywhere and null fits what can be null; a variable takes the most general type it meets.
struct Inference {
    private var bindings: [String: Type] = [:]
    private var count = 0
    /// What the bindings changed since the last assignment were before, to take them back.
    private var former: [(name: String, type: Type?)] = []
    /// Variables may stand for one another in several places, so that following them takes twice as long with every level.
    /// Beyond this much of it nothing fits.
    private var work = 0
    private static let limit = 1_000_000

    /// A variable of which nothing is known yet, such as the element of `[]`.
    mutating func fresh() -> Type {
        count += 1
        return .parameter("#\(count)")
    }

    /// Renames a signature's own variables, so that two calls do not share them.
    mutating func instantiate(_ signature: Signature) -> Signature {
        var names: [String: Type] = [:]
        for name in signature.typeParameters { names[name] = fresh() }
        guard !names.isEmpty else { return signature }
        return signature.mapTypes { type in
            type.replacingParameters { names[$0] }
        }
    }

    /// Binds variables so that `types` may be passed for `parameters`. Changes nothing when it cannot.
    mutating func assign(_ types: [Type], to parameters: [Type]) -> Bool {
        guard types.count == parameters.count else { return false }
        defer { former.removeAll(keepingCapacity: true) }
        for (type, parameter) in zip(types, parameters) where !unify(type, parameter) {
            for (name, type) in former.reversed() { bindings[name] = type }
            return false
        }
        return true
    }

    mutating func assign(_ type: Type, to wanted: Type) -> Bool {
        assign([type], to: [wanted])
    }

    /// The type of a list's elements or a map's values: one type when they agree, else dyn.
    mutating func join(_ types: [Type]) -> Type {
        guard var joined = types.first else { return fresh() }
        for type in types.dropFirst() {
            guard assign(joined, to: type) else { return .dyn }
            joined = mostGeneral(joined, type)
        }
        return joined
    }

    /// The type with its variables replaced by what they are bound to; by dyn where they are not, and where there are
    /// thousands of them.
    func resolve(_ type: Type) -> Type {
        var rest = 1_000
        return resolve(type, &rest)
    }

    private func resolve(_ type: Type, _ rest: inout Int) -> Type {
        type.replacingParameters { name in
            rest -= 1
            guard rest > 0, let bound = bindings[name] else { return .dyn }
            return resolve(bound, &rest)
        }
    }

    /// What a variable at the top stands for so far.
    func shallow(_ type: Type) -> Type {
        var type = type
        while case .parameter(let name) = type, let bound = bindings[name] { type = bound }
        return type
    }

    // MARK: Rules

    private mutating func unify(_ type: Type, _ wanted: Type) -> Bool {
        work += 1
        guard work <= Self.limit else { return false }
        if case .parameter(let name) = wanted {
            switch substitute(type, for: name) {
            case .fits: return true
            case .conflicts: return false
            case .cyclic: break
            }
        }
        if case .parameter(let name) = type { return substitute(wanted, for: name) == .fits }
        switch (type, wanted) {
        case (.dyn, _), (_, .dyn), (.error, _), (_, .error): return true
        case (.nullable(let a), _): return unify(a, wanted.withoutNull)
        case (.null, _): return wanted.admitsNull
        case (_, .nullable(let b)): return unify(type, b)
        case (_, .null): return type.admitsNull
        case (.type, .type): return true
        case (.list(let a), .list(let b)), (.optional(let a), .optional(let b)): return unify(a, b)
        case (.map(let aKey, let aValue), .map(let bKey, let bValue)): return unify(aKey, bKey) && unify(aValue, bValue)
        case (.named(let aName, let a), .named(let bName, let b)):
            guard aName == bName, a.count == b.count else { return false }
            for (a, b) in zip(a, b) where !unify(a, b) { return false }
            return true
        default: return type == wanted
        }
    }

    private enum Fit { case fits, conflicts, cyclic }

    private mutating func substitute(_ type: Type, for name: String) -> Fit {
        if type == .parameter(name) { return .fits }
        if let bound = bindings[name] {
            if type == bound { return .fits }
            guard unify(type, bound) else { return .conflicts }
            let general = mostGeneral(type, bound)
            if !occurs(name, in: general) { bind(name, to: general) }
            return .fits
        }
        if occurs(name, in: type) { return .cyclic }
        bind(name, to: type)
        return .fits
    }

    private mutating func bind(_ name: String, to type: Type) {
        former.append((name, bindings.updateValue(type, forKey: name)))
    }

    private mutating func occurs(_ name: String, in type: Type) -> Bool {
        for parameter in type.parameters {
            work += 1
            if parameter == name || work > Self.limit { return true }
            if let bound = bindings[parameter], occurs(name, in: bound) { return true }
        }
        return false
    }

    private func mostGeneral(_ a: Type, _ b: Type) -> Type {
        if a == .null { return b }
        if b == .null { return a }
        return isAtLeastAsGeneral(a, b) ? a : b
    }

    private func isAtLeastAsGeneral(_ a: Type, _ b: Type) -> Bool {
        switch (a, b) {
        case (.dyn, _), (.parameter, _): return true
        case (_, .dyn), (_, .parameter): return false
        case (.nullable(let a), _): return isAtLeastAsGeneral(a, b.withoutNull)
        case (.list(let a), .list(let b)), (.optional(let a), .optional(let b)): return isAtLeastAsGeneral(a, b)
        case (.map(let aKey, let aValue), .map(let bKey, let bValue)):
            return isAtLeastAsGeneral(aKey, bKey) && isAtLeastAsGeneral(aValue, bValue)
        case (.named(let aName, let a), .named(let bName, let b)):
            return aName == bName && a.count == b.count && zip(a, b).allSatisfy { isAtLeastAsGeneral($0, $1) }
        case (.type, .type): return true
        default: return a == b
        }
    }
}

extension Type {
    /// Whether null may stand for a value of this type (langdef, "Gradual Type Checking").
    fileprivate var admitsNull: Bool {
        switch self {
        case .nullable, .null, .object, .optional, .named, .timestamp, .duration: true
        default: false
        }
    }

    /// The names of the type variables in it.
    var parameters: [String] {
        switch self {
        case .parameter(let name): [name]
        case .list(let type), .optional(let type), .nullable(let type), .type(let type?): type.parameters
        case .map(let key, let value): key.parameters + value.parameters
        case .named(_, let types): types.flatMap(\.parameters)
        default: []
        }
    }

    /// Replaces type variables for which `replacement` has something.
    func replacingParameters(_ replacement: (String) -> Type?) -> Type {
        mapLeaves { leaf in
            if case .parameter(let name) = leaf { replacement(name) ?? leaf } else { leaf }
        }
    }

    /// With int, uint and double made one, to ask whether two types differ in nothing else.
    var withoutNumericDistinction: Type {
        mapLeaves { $0.isNumeric ? .double : $0 }
    }

    private func mapLeaves(_ transform: (Type) -> Type) -> Type {
        switch self {
        case .list(let type): .list(type.mapLeaves(transform))
        case .optional(let type): .optional(type.mapLeaves(transform))
        case .nullable(let type): .nullable(type.mapLeaves(transform))
        case .type(let type?): .type(type.mapLeaves(transform))
        case .map(let key, let value): .map(key.mapLeaves(transform), value.mapLeaves(transform))
        case .named(let name, let types): .named(name, types.map { $0.mapLeaves(transform) })
        default: transform(self)
        }
    }
}
