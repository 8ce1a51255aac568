import CEL
import Foundation

/// One test of the language's conformance suite, read from JSON.
struct ConformanceRow: Sendable {
    var id: String
    var isCore: Bool
    var isProtobuf: Bool
    var expression: String
    var container: String?
    var isChecked: Bool
    var isCheckOnly: Bool
    var environment: Environment
    var bindings: [(name: String, value: Value)]
    var expectedValue: Value?
    var expectedType: String?
    var expectsError: Bool

    /// Nil when the test passes, else what came out.
    var failure: String? {
        let program: Program
        do {
            program = try environment.compile(expression, checked: isChecked)
        } catch {
            return expectsError ? nil : "does not compile: \(error.issues.map(\.message).joined(separator: "; "))"
        }
        if let expectedType, program.resultType.tagName != expectedType {
            return "type \(program.resultType.tagName), not \(expectedType)"
        }
        if isCheckOnly { return expectsError ? "compiles" : nil }
        var activation = Activation(environment)
        for (name, value) in bindings {
            guard let slot = environment.slot(of: name) else { return "no slot for \(name)" }
            activation[slot] = value
        }
        let value = program.evaluate(activation)
        if case .error(let error) = program.evaluate(activation, budget: program.estimatedSteps),
            error.code == .budgetExceeded
        {
            return "takes more than the estimated \(program.estimatedSteps) steps"
        }
        if let difference = tracedDifference(from: value, activation) { return difference }
        if case .error(let error) = value { return expectsError ? nil : "fails: \(error.message)" }
        if expectsError { return "has a value: \(value)" }
        guard let expectedValue else { return nil }
        return value.isIdentical(to: expectedValue) ? nil : "gives \(value), not \(expectedValue)"
    }

    /// How the value with the trace on differs from that with the trace off.
    private func tracedDifference(from value: Value, _ activation: Activation) -> String? {
        guard let program = try? environment.compile(expression, checked: isChecked, traced: true) else {
            return "does not compile with the trace on"
        }
        let traced = program.trace(activation).root.value
        return describe(traced) == describe(value) ? nil : "gives \(traced) with the trace on, \(value) with it off"
    }
}

enum ConformanceSuite {
    static let folder = ProcessInfo.processInfo.environment["CEL_CONFORMANCE"]

    static func files() throws -> [(name: String, rows: [ConformanceRow])] {
        guard let folder else { return [] }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
        return try names.sorted().map { name in
            let data = try Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(name))
            let objects = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
            let file = String(name.dropLast(5))
            return (file, objects.enumerated().map { ConformanceRow(file: file, number: $0, $1) })
        }
    }
}

extension ConformanceRow {
    init(file: String, number: Int, _ json: [String: Any]) {
        let requires = json["requires"] as? [String] ?? []
        let expect = json["expect"] as? [String: Any] ?? [:]
        id = "\(file)/\(json["section"] ?? "")/\(json["test"] ?? "")#\(number)"
        isProtobuf = requires.contains { tag in ["proto", "enum", "wkt", "ext:proto"].contains { tag.hasPrefix($0) } }
        isCore = !isProtobuf && !requires.contains { $0.hasPrefix("ext:") }
        expression = json["expr"] as? String ?? ""
        container = json["container"] as? String
        isChecked = json["disable_check"] as? Bool != true
        isCheckOnly = json["check_only"] as? Bool == true
        expectsError = expect["error"] != nil
        expectedType = expect["type"] as? String
        expectedValue = (expect["value"] as? [String: Any]).flatMap { Value(tagged: $0) }
        var environment = Environment()
        environment.container = container
        for declaration in json["type_env"] as? [[String: Any]] ?? [] { environment.declare(tagged: declaration) }
        bindings = (json["bindings"] as? [String: [String: Any]] ?? [:]).compactMap { name, value in
            Value(tagged: value).map { (name, $0) }
        }
        for (name, value) in bindings where environment.slot(of: name) == nil {
            environment.declare(name, value.staticType)
        }
        self.environment = environment
    }
}

extension Environment {
    fileprivate mutating func declare(tagged declaration: [String: Any]) {
        let name = declaration["name"] as? String ?? ""
        guard declaration["kind"] as? String == "function" else {
            declare(name, Type(tag: declaration["type"] as? String ?? "dyn"))
            return
        }
        let overloads = declaration["overloads"] as? [[String: Any]] ?? []
        register(
            Function(
                name,
                overloads.map { overload in
                    Overload(
                        (overload["params"] as? [String] ?? []).map { Type(tag: $0) },
                        returns: Type(tag: overload["result"] as? String ?? "dyn"),
                        isMember: overload["member"] as? Bool == true
                    ) { _, _ in .error(EvaluationError(.unavailable, "declared only")) }
                }))
    }
}

extension Type {
    /// Reads the suite's notation: `map(string, param:A)`.
    init(tag: String) {
        var rest = Substring(tag)
        self = Type(&rest)
    }

    private init(_ rest: inout Substring) {
        let name = String(rest.prefix { !"(),".contains($0) }).trimmingCharacters(in: .whitespaces)
        rest = rest.drop { !"(),".contains($0) }
        var arguments: [Type] = []
        if rest.first == "(" {
            repeat {
                rest = rest.dropFirst()
                arguments.append(Type(&rest))
            } while rest.first == ","
            rest = rest.dropFirst()
        }
        self = Type(name, arguments)
    }

    private init(_ name: String, _ arguments: [Type]) {
        let first = arguments.first ?? .dyn
        switch name {
        case "null_type": self = .null
        case "dyn", "any": self = .dyn
        case "bool": self = .bool
        case "int": self = .int
        case "uint": self = .uint
        case "double": self = .double
        case "string": self = .string
        case "bytes": self = .bytes
        case "timestamp": self = .timestamp
        case "duration": self = .duration
        case "error": self = .error
        case "list": self = .list(first)
        case "map": self = .map(first, arguments.last ?? .dyn)
        case "type": self = .type(first)
        case "wrapper": self = .nullable(first)
        case "optional_type": self = .optional(first)
        case _ where name.hasPrefix("param:"): self = .parameter(String(name.dropFirst(6)))
        default: self = .named(name, arguments)
        }
    }

    /// The suite's notation of the type.
    var tagName: String { description }
}

extension Value {
    /// Reads a tagged value; nil for protobuf messages and enums.
    init?(tagged json: [String: Any]) {
        let text = json["v"] as? String ?? ""
        switch json["t"] as? String {
        case "null": self = .null
        case "bool": self = .bool(json["v"] as? Bool == true)
        case "int": self = .int(Int64(text) ?? 0)
        case "uint": self = .uint(UInt64(text) ?? 0)
        case "double": self = .double(Double(text) ?? .nan)
        case "string": self = .string(text)
        case "bytes": self = .bytes(Array(Data(base64Encoded: text) ?? Data()))
        case "list":
            let elements = (json["v"] as? [[String: Any]] ?? []).map { Value(tagged: $0) }
            guard !elements.contains(where: { $0 == nil }) else { return nil }
            self = .list(elements.compactMap(\.self))
        case "map":
            let entries = (json["v"] as? [[[String: Any]]] ?? []).map { (Value(tagged: $0[0]), Value(tagged: $0[1])) }
            self = .map(
                MapValue(
                    entries.compactMap { key, value in
                        guard let key, let value else { return nil }
                        return (key: key, value: value)
                    }))
        case "type": self = .type(Type(typeTag: text))
        case "timestamp":
            self = .timestamp(
                Timestamp(
                    seconds: Int64(json["seconds"] as? String ?? "") ?? 0, nanoseconds: json["nanos"] as? Int32 ?? 0))
        case "duration":
            self = .duration(
                .seconds(Int64(json["seconds"] as? String ?? "") ?? 0) + .nanoseconds(json["nanos"] as? Int64 ?? 0))
        default: return nil
        }
    }

    /// The type with which a binding without a declaration is declared.
    fileprivate var staticType: Type {
        switch self {
        case .list(let list): .list(list.first?.staticType ?? .dyn)
        case .map(let map): .map(map.entries.first?.key.staticType ?? .dyn, map.entries.first?.value.staticType ?? .dyn)
        default: Type(typeTag: typeName)
        }
    }

    /// Equal in type as well as in value, as the suite wants it.
    fileprivate func isIdentical(to other: Value) -> Bool {
        switch (self, other) {
        case (.double(let a), .double(let b)): a == b || a.isNaN && b.isNaN
        case (.list(let a), .list(let b)):
            a.count == b.count && zip(a, b).allSatisfy { $0.isIdentical(to: $1) }
        case (.map(let a), .map(let b)):
            a.entries.count == b.entries.count
                && a.entries.allSatisfy { entry in
                    b.entries.contains { entry.key.isIdentical(to: $0.key) && entry.value.isIdentical(to: $0.value) }
                }
        default: typeName == other.typeName && equals(other)
        }
    }
}

extension Type {
    fileprivate init(typeTag: String) {
        switch typeTag {
        case "google.protobuf.Timestamp": self = .timestamp
        case "google.protobuf.Duration": self = .duration
        case "list": self = .list(.dyn)
        case "map": self = .map(.dyn, .dyn)
        case "type": self = .type(nil)
        default: self.init(tag: typeTag)
        }
    }
}
