import CEL

/// What is known to go wrong in expressions of rules, found in their tree: words that this version does not have, and
/// CEL's that mean something else than they seem to.
struct ExpressionHints {
    /// The rule says nowhere in which zone it lives.
    var hasZone: Bool
    /// The condition of a rule that watches a thing of this name, where `status == "archived"` is hardly ever true.
    var boardSubject: String?
    /// What `channels` can be asked for; nil where that is not known.
    var channels: [String]?
    /// Variables that the language has and this place has not, with the reason.
    var unavailable: [String: String] = Dictionary(
        uniqueKeysWithValues: Language.stepVariables.map { name in
            (name, "'\(name)' goes with steps: nothing is known of it before 'do' runs")
        } + [("command", "'command' is known only in a rule that has 'command'")])

    func find(in source: String, _ environment: Environment) -> [CompilationIssue] {
        guard let tree = environment.parse(source) else { return [] }
        var issues: [CompilationIssue] = []
        // Pairs of a node and the names that macros around it bind.
        var left: [(node: Expression, bound: Set<String>)] = [(tree, [])]
        while let (node, bound) = left.popLast() {
            issues += look(at: node, bound, source, environment)
            left += node.parts(bound)
        }
        return issues
    }

    private func look(
        at node: Expression, _ bound: Set<String>, _ source: String, _ environment: Environment
    ) -> [CompilationIssue] {
        switch node.kind {
        case .identifier(let name, _):
            guard !bound.contains(name), environment.slot(of: name) == nil else { return [] }
            return unavailable[name].map { [CompilationIssue(.error, $0, at: node.range)] } ?? []
        case .select(let operand, let field, _) where operand.names("channels", bound),
            .presence(let operand, let field) where operand.names("channels", bound):
            return unknownChannel(field, node.range)
        case .index(let operand, let index, _) where operand.names("channels", bound):
            guard case .literal(.string(let name)) = index.kind else { return [] }
            return unknownChannel(name, index.range)
        case .call(Operator.equals, _, let sides) where sides.count == 2:
            return archived(sides[0], sides[1], bound, node) + archived(sides[1], sides[0], bound, node)
        case .call(let function, let target, let arguments):
            return call(function, target, arguments, node, source, environment)
        default: return []
        }
    }

    private func unknownChannel(_ name: String, _ range: Range<Int>) -> [CompilationIssue] {
        guard let channels, !channels.contains(name) else { return [] }
        let suggestion = NearMiss.best(of: channels, for: name)
        let known = channels.isEmpty ? ": 'channels' declares none" : ": there are \(channels.joined(separator: ", "))"
        return [
            CompilationIssue(
                .error, "there is no channel '\(name)'" + (suggestion == nil ? known : ""), at: range,
                suggestion: suggestion)
        ]
    }

    private func archived(
        _ field: Expression, _ word: Expression, _ bound: Set<String>, _ node: Expression
    ) -> [CompilationIssue] {
        guard let boardSubject, case .select(let subject, "status", _) = field.kind,
            case .identifier(boardSubject, _) = subject.kind, !bound.contains(boardSubject),
            case .literal(.string("archived")) = word.kind
        else { return [] }
        return [
            CompilationIssue(
                .warning,
                "archived sessions are not watched: this is only ever true once, when a session that held before is put in the trash",
                at: node.range)
        ]
    }

    private func call(
        _ function: String, _ target: Expression?, _ arguments: [Expression], _ node: Expression, _ source: String,
        _ environment: Environment
    ) -> [CompilationIssue] {
        switch (function, arguments.first?.kind) {
        case ("duration", .literal(.string(let text))):
            guard (try? Duration(parsing: text)) == nil, let meant = Duration(ruleText: text) else { return [] }
            let hours = "\(meant.components.seconds / 3_600)h"
            return [
                CompilationIssue(
                    .error, "CEL's durations have no days or weeks: write \"\(hours)\"", at: arguments[0].range)
            ]
        case ("within", .literal(.string(let text))):
            if WeekWindow(parsing: text) == nil {
                return [CompilationIssue(.error, WeekWindow.help, at: arguments[0].range)]
            }
            if hasZone { return [] }
            return [CompilationIssue(.warning, "within() means UTC here: set 'timezone'", at: node.range)]
        case ("date", _) where arguments.count == 2:
            guard case .literal(.string(let pattern)) = arguments[1].kind else { return [] }
            do throws(EvaluationError) {
                _ = try DatePattern(pattern)
                return []
            } catch {
                return [CompilationIssue(.error, error.message, at: arguments[1].range)]
            }
        default: return accessor(function, target, arguments, node, source, environment)
        }
    }

    private static let accessors: Set<String> = [
        "getHours", "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getMonth", "getFullYear",
    ]

    /// `getHours()` of a time is in UTC unless it is told a zone; of a duration it is something else.
    private func accessor(
        _ function: String, _ target: Expression?, _ arguments: [Expression], _ node: Expression, _ source: String,
        _ environment: Environment
    ) -> [CompilationIssue] {
        guard let target, arguments.isEmpty, Self.accessors.contains(function) else { return [] }
        let operand = String(decoding: Array(source.utf8)[target.range], as: UTF8.self)
        if let program = try? environment.compile(operand), program.resultType.whenPresent == .duration { return [] }
        return [
            CompilationIssue(
                .warning, "\(function)() without a zone means UTC: write \(function)(\"America/Chicago\")",
                at: node.range)
        ]
    }
}

extension Expression {
    /// The variable of this name, which no macro around it binds.
    fileprivate func names(_ variable: String, _ bound: Set<String>) -> Bool {
        if case .identifier(variable, _) = kind { !bound.contains(variable) } else { false }
    }

    /// The nodes right below, each with the names that are bound there.
    fileprivate func parts(_ bound: Set<String>) -> [(node: Expression, bound: Set<String>)] {
        switch kind {
        case .literal, .identifier: []
        case .select(let operand, _, _), .presence(let operand, _): [(operand, bound)]
        case .index(let operand, let index, _): [(operand, bound), (index, bound)]
        case .call(_, let target, let arguments): ((target.map { [$0] } ?? []) + arguments).map { ($0, bound) }
        case .and(let operands), .or(let operands): operands.map { ($0, bound) }
        case .conditional(let condition, let then, let otherwise): [condition, then, otherwise].map { ($0, bound) }
        case .list(let elements): elements.map { ($0.value, bound) }
        case .map(let entries): entries.flatMap { [($0.key, bound), ($0.value, bound)] }
        case .message(_, let fields): fields.map { ($0.value, bound) }
        case .iteration(let iteration):
            [(iteration.range, bound)]
                + [iteration.predicate, iteration.transform].compactMap { $0 }.map {
                    ($0, bound.union([iteration.first, iteration.second].compactMap { $0 }))
                }
        case .bind(let name, let value, let body): [(value, bound), (body, bound.union([name]))]
        }
    }
}
