import CEL
import Foundation

/// A small world of declared objects, as a host would declare it.
enum World {
    static let review = ObjectType(
        "review",
        [
            .init("state", .string, knownValues: ["open", "merged", "closed"]), .init("ci", .string),
            .init("since", .nullable(.timestamp)),
        ])

    static let task = ObjectType(
        "task",
        [
            .init("title", .string),
            .init("status", .string, knownValues: ["waiting", "running", "needs_input", "failed"]),
            .init("favorited", .nullable(.bool)), .init("branch", .nullable(.string)), .init("created", .timestamp),
            .init("idle", .nullable(.duration)), .init("cost", .nullable(.double)), .init("count", .int),
            .init("review", .nullable(.object(review))), .init("reviews", .list(.object(review))),
            .init("metadata", .map(.string, .dyn)),
            .init(
                "age", .duration,
                compute: .init(reads: ["now"]) { task, activation in
                    guard case .timestamp(let created) = task["created"], case .timestamp(let now) = activation[1]
                    else {
                        return .error(EvaluationError(.unavailable, "no time"))
                    }
                    return .duration(now - created)
                }),
        ])

    /// With the variables `task` (slot 0) and `now` (slot 1), and a host's options.
    static var environment: Environment {
        var options = Environment.Options()
        options.absence = true
        options.mixedComparisons = true
        var environment = Environment(options: options)
        environment.declare("task", .object(task))
        environment.declare("now", .timestamp)
        return environment
    }

    static let openReview = Value.object(
        Object(
            review, named: ["state": .string("open"), "ci": .string("pass"), "since": .timestamp(.init(seconds: 50))]))
    static let closedReview = Value.object(Object(review, named: ["state": .string("closed"), "ci": .string("fail")]))

    /// A task with everything set, apart from what `changes` says.
    static func activation(_ changes: [String: Value] = [:]) -> Activation {
        let values: [String: Value] = [
            "title": .string("Fix login"), "status": .string("needs_input"), "favorited": .bool(true),
            "branch": .string("main"), "created": .timestamp(.init(seconds: 1_000)), "idle": .duration(.seconds(7_200)),
            "cost": .double(2.5), "count": .int(3), "review": openReview, "reviews": .list([closedReview, openReview]),
            "metadata": .map(MapValue(named: [("owner", .string("ann")), ("tries", .int(2)), ("none", .null)])),
        ]
        var activation = Activation(environment)
        activation[0] = .object(Object(task, named: values.merging(changes) { $1 }))
        activation[1] = .timestamp(.init(seconds: 4_600))
        return activation
    }
}

/// The value of an expression in the plain environment as text, or `error: CODE`, or `does not compile`.
func evaluate(_ source: String) -> String {
    evaluate(source, Environment())
}

func evaluate(_ source: String, _ environment: Environment, _ activation: Activation? = nil, budget: Int = 1_000_000)
    -> String
{
    do {
        let program = try environment.compile(source)
        return describe(program.evaluate(activation ?? Activation(environment), budget: budget))
    } catch {
        return "does not compile: \(error.issues.map(\.message).joined(separator: "; "))"
    }
}

func describe(_ value: Value) -> String {
    if case .error(let error) = value { return "error: \(error.code.rawValue)" }
    return value.text
}

/// What is reported for a source, each with the piece of the source at which it points.
func issues(_ source: String, _ environment: Environment = World.environment) -> [(
    text: String, issue: CompilationIssue
)] {
    let found: [CompilationIssue]
    do {
        found = try environment.compile(source).warnings
    } catch {
        found = error.issues
    }
    let bytes = Array(source.utf8)
    return found.map { (String(decoding: bytes[$0.range], as: UTF8.self), $0) }
}

/// Runs on a thread with little stack, as a host's worker may have.
func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: body()) }
        thread.stackSize = 512 * 1_024
        thread.start()
    }
}

/// Numbers that look random and are the same in every run.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
