import CEL

/// A condition that says how it comes to its value: the program that decides, compiled once more so that it writes down
/// what it does.
final class TracedCondition: Sendable {
    /// A part of the expression's text.
    private struct Shape: Sendable {
        var range: Range<Int>
        /// What stands there, on one line.
        var text: String
        var join: Clause.Join?
        var parts: [Shape] = []
        /// Of a literal, which leaves no trace.
        var constant: Value?

        init(_ expression: Expression, in source: [UInt8]) {
            range = expression.range
            text = String(decoding: source[range], as: UTF8.self)
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
            switch expression.kind {
            case .and(let operands): (join, parts) = (.and, operands.map { Shape($0, in: source) })
            case .or(let operands): (join, parts) = (.or, operands.map { Shape($0, in: source) })
            case .literal(let value): constant = value
            default: break
            }
        }
    }

    private let program: Program
    private let source: [UInt8]
    private let shape: Shape
    /// The parts at the top, each by itself.
    private let alone: [Program?]

    /// Nil for a text that does not compile, which a loaded condition does.
    init?(_ condition: Program, in environment: Environment) {
        guard let program = try? environment.compile(condition.source, traced: true),
            let parsed = environment.parse(condition.source)
        else { return nil }
        let source = Array(condition.source.utf8)
        let shape = Shape(parsed, in: source)
        self.program = program
        self.source = source
        self.shape = shape
        alone = (shape.join == .and ? shape.parts : []).map { part in
            try? environment.compile(String(decoding: source[part.range], as: UTF8.self), traced: true)
        }
    }

    /// The whole condition with its parts.
    func clause(_ activation: Activation) -> Clause {
        let trace = program.trace(activation)
        var root = clause(shape, trace.root)
        for index in root.parts.indices where root.parts[index].outcome == .notReached && root.join == .and {
            root.parts[index].alone = alone[index].map { Clause.Outcome($0.evaluate(activation)) }
        }
        return root
    }

    /// The parts at the top, each evaluated whatever the others say; empty where `&&` joins nothing there.
    func clausesAlone(_ activation: Activation) -> [Clause] {
        zip(shape.parts, alone).map { part, program in
            guard let program else { return Clause(part.text, .cannotTell) }
            let trace = program.trace(activation)
            var clause = Clause(part.text, Clause.Outcome(trace.root.value))
            if case .error(let error) = trace.root.value { clause.reason = error.message.onOneLine }
            let source = Array(program.source.utf8)
            clause.reads = Self.reads(of: trace.root, in: source, except: clause.text)
            return clause
        }
    }

    /// How far from holding a condition is, in parts at the top.
    enum Distance: Hashable, Sendable {
        case none
        /// All hold but the one with this index, which does not or does not apply.
        case one(Int)
        case more
        /// There is a part that cannot be told, and at most one that does not hold.
        case cannotTell
    }

    /// How many parts do not hold, and how long that lasts while nothing but the clock moves; of `more` that is not known.
    func distance(_ activation: Activation) -> (distance: Distance, horizon: Horizon) {
        var horizon = Horizon()
        var failing: Int?
        var isTold = true
        for (index, program) in alone.enumerated() {
            guard let (value, lasts) = program?.evaluateWithHorizon(activation) else { return (.cannotTell, horizon) }
            horizon.lower(to: lasts)
            switch Clause.Outcome(value) {
            case .holds: continue
            case .cannotTell, .notReached: isTold = false
            case .fails, .absent:
                if failing != nil { return (.more, horizon) }
                failing = index
            }
        }
        guard isTold else { return (.cannotTell, horizon) }
        return (failing.map(Distance.one) ?? .none, horizon)
    }

    /// `&&` joins parts at the top.
    var hasParts: Bool { !alone.isEmpty }

    // MARK: - From shape and trace

    private func clause(_ shape: Shape, _ step: Trace.Step?) -> Clause {
        var clause = Clause(shape.text, .notReached)
        clause.join = shape.join
        guard let value = step?.value ?? shape.constant else {
            clause.parts = shape.parts.map { self.clause($0, nil) }
            return clause
        }
        clause.outcome = Clause.Outcome(value)
        if case .error(let error) = value { clause.reason = error.message.onOneLine }
        clause.isAbsorbed = step?.isAbsorbed ?? false
        guard !shape.parts.isEmpty else {
            if let step { clause.reads = Self.reads(of: step, in: source, except: clause.text) }
            return clause
        }
        clause.parts = shape.parts.map { part in
            self.clause(part, step?.steps.first { $0.range == part.range })
        }
        if let index = clause.decisivePart { clause.parts[index].isDecisive = true }
        return clause
    }

    /// So much is shown of what one clause reads.
    private static let mostReads = 12

    private static func reads(of step: Trace.Step, in source: [UInt8], except own: String) -> [Clause.Read] {
        var reads: [Clause.Read] = []
        collect(step, source, own, &reads)
        return reads
    }

    /// What was written as a path of names, the longest ones; where one could not be followed, also how far it led.
    private static func collect(
        _ step: Trace.Step, _ source: [UInt8], _ own: String, _ reads: inout [Clause.Read]
    ) {
        guard reads.count < mostReads else { return }
        let bytes = source[step.range]
        guard bytes.isPath else {
            for child in step.steps { collect(child, source, own, &reads) }
            return
        }
        switch step.value {
        case .object: return
        case .error:
            // Why is said of the clause; how far it led is what helps.
            for child in step.steps { collect(child, source, own, &reads) }
        default:
            let read = Clause.Read(path: String(decoding: bytes, as: UTF8.self), value: step.value.brief)
            if read.path != own, !reads.contains(read) { reads.append(read) }
        }
    }
}

extension Clause {
    /// The index of the part that this one's value comes from; nil where all of them made it.
    fileprivate var decisivePart: Int? {
        switch (join, outcome) {
        case (.and, .fails), (.or, .holds): parts.firstIndex { $0.outcome == outcome }
        case (_, .cannotTell): parts.firstIndex { $0.outcome == .cannotTell }
        case (_, .absent): parts.firstIndex { $0.outcome == .absent }
        default: nil
        }
    }
}

extension ArraySlice<UInt8> {
    /// Names joined by dots, perhaps with an index in brackets.
    fileprivate var isPath: Bool {
        guard let first, isLetter(first) || first == UInt8(ascii: "_") else { return false }
        return allSatisfy { byte in
            if isLetter(byte) { return true }
            return switch byte {
            case 0x30...0x39: true
            case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "]"),
                UInt8(ascii: "\""), UInt8(ascii: "'"):
                true
            default: false
            }
        }
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
