import CEL

/// Any text: it is refused, with a message that points into it, or it is an expression that prints as one of the same tree
/// and the same type.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzParse(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    for environment in environments {
        checkPrinting(source, environment)
        checkCompiling(source, environment)
    }
    return 0
}

private let environments: [Environment] = {
    let part = ObjectType(
        "part",
        [
            .init("name", .string), .init("kind", .string, knownValues: ["open", "closed"]),
            .init("since", .nullable(.timestamp)), .init("tags", .list(.string)),
        ])
    var host = Environment.Options()
    host.absence = true
    host.mixedComparisons = true
    host.clock = "now"
    var environments = [Environment(), Environment(options: host)]
    for index in environments.indices {
        environments[index].declare("now", .timestamp)
        environments[index].declare("part", .object(part))
        environments[index].declare("maybe", .nullable(.object(part)))
        environments[index].declare("parts", .list(.object(part)))
        environments[index].declare("any", .dyn)
        environments[index].declare("a", .map(.string, .dyn))
        environments[index].declare("b", .optional(.int))
        environments[index].declare("a.b.c", .bool)
    }
    environments[1].container = "a.b"
    let list = Type.list(.parameter("T"))
    environments[1].register(
        keyed: Function(
            "sortBy", [.init([list, .list(.dyn)], returns: list, isMember: true) { arguments, _ in arguments[0] }]))
    return environments
}()

private func checkPrinting(_ source: String, _ environment: Environment) {
    guard let tree = environment.parse(source) else { return }
    let text = tree.text
    // Spaces and escapes may make it longer than what is read.
    guard text.utf8.count <= 100_000 else { return }
    guard let again = environment.parse(text) else { fatalError("printed as what is no expression: \(text)") }
    expect(again.dump == tree.dump, "printed as another expression: \(text)")
    expect(again.text == text, "printed in another way the second time: \(text)")
    guard let program = try? environment.compile(source) else { return }
    guard let printed = try? environment.compile(text) else { fatalError("printed as what does not compile: \(text)") }
    expect(printed.resultType.description == program.resultType.description, "of another type: \(text)")
    expect(printed.estimatedSteps == program.estimatedSteps, "of other cost: \(text)")
    expect(printed.references == program.references, "reads something else: \(text)")
}

private func checkCompiling(_ source: String, _ environment: Environment) {
    for isChecked in [true, false] {
        let issues: [CompilationIssue]
        do {
            issues = try environment.compile(source, checked: isChecked).warnings
        } catch {
            issues = error.issues
            expect(issues.contains { $0.severity == .error }, "refused without a reason")
        }
        for issue in issues {
            expect(issue.range.upperBound <= source.utf8.count, "points behind the end: \(issue.message)")
        }
    }
}

/// Unlike a precondition it says in a release build, too, what is wrong.
private func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
    if !holds { fatalError(message()) }
}
