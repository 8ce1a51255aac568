// Fields, keys and elements (langdef, "Field Selection").

/// A field of a declared object type, by its slot.
final class FieldNode: Node {
    private let operand: any Node
    private let type: ObjectType
    private let slot: Int
    private let site: Site
    private let isNull: EvaluationError

    init(_ operand: any Node, _ type: ObjectType, slot: Int, _ site: Site) {
        self.operand = operand
        self.type = type
        self.slot = slot
        self.site = site
        isNull = site.nullError(field: type.fields[slot].name)
    }

    func evaluate(_ frame: inout Frame) -> Value {
        switch operand.evaluate(&frame) {
        case .object(let object) where object.type === type: object.slots[slot]
        case .null: .error(isNull)
        case .error(let error): .error(error)
        case let other: Access.field(type.fields[slot].name, of: other, site, &frame)
        }
    }
}

/// A field of a variable: the two steps that most conditions begin with, in one.
final class VariableFieldNode: Node {
    private let variable: Int
    private let type: ObjectType
    private let slot: Int
    private let site: Site
    private let isNull: EvaluationError

    init(variable: Int, _ type: ObjectType, slot: Int, _ site: Site) {
        self.variable = variable
        self.type = type
        self.slot = slot
        self.site = site
        isNull = site.nullError(field: type.fields[slot].name)
    }

    func evaluate(_ frame: inout Frame) -> Value {
        switch frame.activation.values[variable] {
        case .object(let object) where object.type === type: object.slots[slot]
        case .null: .error(isNull)
        case .error(let error): .error(error)
        case let other: Access.field(type.fields[slot].name, of: other, site, &frame)
        }
    }
}

/// A computed field that grows with the clock. What reads it notes how long the result lasts.
final class ElapsedFieldNode: Node {
    private let operand: any Node
    private let type: ObjectType
    private let field: ObjectType.Field
    private let computation: ObjectType.Computation
    private let site: Site

    init(
        _ operand: any Node, _ type: ObjectType, _ field: ObjectType.Field, _ computation: ObjectType.Computation,
        _ site: Site
    ) {
        self.operand = operand
        self.type = type
        self.field = field
        self.computation = computation
        self.site = site
    }

    func evaluate(_ frame: inout Frame) -> Value {
        switch operand.evaluate(&frame) {
        case .object(let object) where object.type === type: computation.value(object, frame.activation)
        case .error(let error): .error(error)
        case let other: Access.field(field.name, of: other, site, &frame)
        }
    }
}

/// A field that is looked up by name, because the type was not known or the field is computed.
final class SelectNode: Node {
    private let operand: any Node
    private let name: String
    private let isOptional: Bool
    private let site: Site

    init(_ operand: any Node, name: String, isOptional: Bool, _ site: Site) {
        self.operand = operand
        self.name = name
        self.isOptional = isOptional
        self.site = site
    }

    func evaluate(_ frame: inout Frame) -> Value {
        let value = operand.evaluate(&frame)
        if value.isError { return value }
        return isOptional
            ? Access.optionalField(name, of: value, site, &frame) : Access.field(name, of: value, site, &frame)
    }
}

final class PresenceNode: Node {
    private let operand: any Node
    private let name: String
    private let site: Site

    init(_ operand: any Node, name: String, _ site: Site) {
        self.operand = operand
        self.name = name
        self.site = site
    }

    func evaluate(_ frame: inout Frame) -> Value {
        let value = operand.evaluate(&frame)
        if value.isError { return value }
        return Access.has(name, in: value, site, &frame)
    }
}

final class IndexNode: Node {
    private let operand: any Node
    private let index: any Node
    private let isOptional: Bool
    private let site: Site

    init(_ operand: any Node, _ index: any Node, isOptional: Bool, _ site: Site) {
        self.operand = operand
        self.index = index
        self.isOptional = isOptional
        self.site = site
    }

    func evaluate(_ frame: inout Frame) -> Value {
        let value = operand.evaluate(&frame)
        if value.isError { return value }
        let key = index.evaluate(&frame)
        if key.isError { return key }
        guard frame.budget.spend(key.weight) else { return .error(.budgetExceeded) }
        return isOptional ? Access.optionalElement(key, of: value, site) : Access.element(key, of: value, site)
    }
}

/// Reading by name or key, as a function of the value that is read.
enum Access {
    static func field(_ name: String, of value: Value, _ site: Site, _ frame: inout Frame) -> Value {
        switch value {
        case .object(let object): stored(name, in: object, &frame) ?? site.noField(name, object.type.name)
        case .map(let map): map[name: name] ?? site.missing("there is no key '\(name)'")
        case .optional(let optional): inside(optional) { optionalField(name, of: $0, site, &frame) }
        case .null: .error(site.nullError(field: name))
        default: site.noField(name, value.typeName)
        }
    }

    static func optionalField(_ name: String, of value: Value, _ site: Site, _ frame: inout Frame) -> Value {
        switch value {
        case .object(let object):
            guard let value = stored(name, in: object, &frame) else {
                return site.noField(name, object.type.name)
            }
            return value.isError ? value : .optional(value.isNull ? .none : OptionalValue(value))
        case .map(let map): return .optional(map[name: name].map { OptionalValue($0) } ?? .none)
        case .optional(let optional): return inside(optional) { optionalField(name, of: $0, site, &frame) }
        case .null where site.absence: return .optional(.none)
        default: return field(name, of: value, site, &frame)
        }
    }

    static func has(_ name: String, in value: Value, _ site: Site, _ frame: inout Frame) -> Value {
        switch value {
        case .object(let object):
            guard let value = stored(name, in: object, &frame) else {
                return site.noField(name, object.type.name)
            }
            return value.isError ? value : .bool(!value.isNull)
        case .map(let map): return .bool(map[name: name] != nil)
        case .optional(let optional):
            guard let wrapped = optional.wrapped else { return .bool(false) }
            return has(name, in: wrapped, site, &frame)
        case .null: return .error(site.nullError(field: name))
        default: return site.noField(name, value.typeName)
        }
    }

    static func element(_ key: Value, of value: Value, _ site: Site) -> Value {
        switch value {
        case .list(let list):
            guard let index = key.listIndex else {
                return site.error(key.isNull && site.absence ? .absent : .noSuchOverload, "a list is indexed by an int")
            }
            guard list.indices.contains(index) else {
                return site.missing("index \(index) is outside a list of \(list.count)", .invalidArgument)
            }
            return list[index]
        case .map(let map):
            return map[key: key] ?? (key.mapKey == nil ? site.noKey(key) : site.missing("there is no such key"))
        case .optional(let optional): return inside(optional) { optionalElement(key, of: $0, site) }
        case .null where site.absence: return site.error(.absent, "\(site.operand) is null")
        default: return site.error(.noSuchOverload, "a \(value.typeName) cannot be indexed")
        }
    }

    static func optionalElement(_ key: Value, of value: Value, _ site: Site) -> Value {
        switch value {
        case .list(let list):
            guard let index = key.listIndex else { return element(key, of: value, site) }
            return .optional(list.indices.contains(index) ? OptionalValue(list[index]) : .none)
        case .map(let map):
            guard key.mapKey != nil else { return site.noKey(key) }
            return .optional(map[key: key].map { OptionalValue($0) } ?? .none)
        case .optional(let optional): return inside(optional) { optionalElement(key, of: $0, site) }
        case .null where site.absence: return .optional(.none)
        default: return element(key, of: value, site)
        }
    }

    /// The value of a field by name, computed if need be; nil when the type has no such field.
    private static func stored(_ name: String, in object: Object, _ frame: inout Frame) -> Value? {
        guard let slot = object.type.slot(of: name) else { return nil }
        guard let computation = object.type.fields[slot].compute else { return object.slots[slot] }
        if !computation.reads.isEmpty { frame.horizon.close() }
        return computation.value(object, frame.activation)
    }

    private static func inside(_ optional: OptionalValue, _ read: (Value) -> Value) -> Value {
        guard let wrapped = optional.wrapped else { return .optional(.none) }
        return read(wrapped)
    }
}

extension Site {
    func nullError(field: String) -> EvaluationError {
        EvaluationError(
            absence ? .absent : .noSuchField, "\(operand) is null, so it has no '\(field)'", at: range)
    }

    fileprivate func noField(_ name: String, _ type: String) -> Value {
        error(.noSuchField, "a \(type) has no field '\(name)'")
    }

    fileprivate func missing(_ message: String, _ code: EvaluationError.Code = .noSuchKey) -> Value {
        error(absence ? .absent : code, message)
    }

    fileprivate func noKey(_ key: Value) -> Value {
        error(key.isNull && absence ? .absent : .noSuchOverload, "a \(key.typeName) is never a key")
    }
}

extension Value {
    /// The position in a list that a number means; nil for what is no whole number.
    fileprivate var listIndex: Int? {
        switch self {
        case .int(let index): Int(exactly: index)
        case .uint(let index): Int(exactly: index) ?? .max
        case .double(let index): Int(exactly: index)
        default: nil
        }
    }
}
