import CEL
import Testing

/// What is written down of an evaluation.
@Suite struct TraceTests {
    /// The tree as lines: what stands in the source, what it came to, and `!` before what was absorbed.
    private func trace(_ source: String) throws -> String {
        let program = try World.environment.compile(source, traced: true)
        let trace = program.trace(World.activation())
        #expect(!trace.isCut)
        return lines(trace.root, of: source, indented: 0).joined(separator: "\n")
    }

    private func lines(_ step: Trace.Step, of source: String, indented depth: Int) -> [String] {
        let text = String(decoding: Array(source.utf8)[step.range], as: UTF8.self)
        let line =
            "\(String(repeating: "  ", count: depth))\(step.isAbsorbed ? "!" : "")\(text) = \(describe(step.value))"
        return [line] + step.steps.flatMap { lines($0, of: source, indented: depth + 1) }
    }

    @Test func `each part of a condition is there with its value, in the order in which it was looked at`() throws {
        let expected = """
            task.status == "needs_input" && task.count > 5 && task.title == "x" = false
              task.status == "needs_input" = true
                task.status = needs_input
              task.count > 5 = false
                task.count = 3
            """
        #expect(try trace(#"task.status == "needs_input" && task.count > 5 && task.title == "x""#) == expected)
    }

    @Test func `an error that another operand made up for is marked`() throws {
        let expected = """
            1 / (task.count - 3) == 2 || task.count == 3 = true
              !1 / (task.count - 3) == 2 = error: divisionByZero
                1 / (task.count - 3) = error: divisionByZero
                  (task.count - 3) = 0
                    task.count = 3
              task.count == 3 = true
                task.count = 3
            """
        #expect(try trace("1 / (task.count - 3) == 2 || task.count == 3") == expected)
    }

    @Test func `an error that decided is not marked`() throws {
        #expect(try !trace("1 / (task.count - 3) == 2 || task.count == 4").contains("!"))
    }

    @Test func `the condition of a macro is there once for each element it was asked about`() throws {
        let closed = "review{state: closed, ci: fail, since: null}"
        let expected = """
            task.reviews.exists(r, r.ci == "pass") = true
              task.reviews = [\(closed), review{state: open, ci: pass, since: 1970-01-01T00:00:50Z}]
              r.ci == "pass" = false
                r.ci = fail
                  r = \(closed)
              r.ci == "pass" = true
                r.ci = pass
                  r = review{state: open, ci: pass, since: 1970-01-01T00:00:50Z}
            """
        #expect(try trace(#"task.reviews.exists(r, r.ci == "pass")"#) == expected)
    }

    @Test func `what the clock is in is there, too`() throws {
        let expected = """
            now - task.created > duration("1h") = false
              now - task.created = 3600s
                now = 1970-01-01T01:16:40Z
                task.created = 1970-01-01T00:16:40Z
              duration("1h") = 3600s
            """
        #expect(try trace(#"now - task.created > duration("1h")"#) == expected)
    }

    @Test func `what a macro is made into is not there, and what was written is`() throws {
        let open = "review{state: open, ci: pass, since: 1970-01-01T00:00:50Z}"
        let lines = try trace("task.?review.optMap(r, r.ci).orValue('x')").split(separator: "\n")
        let expected = """
            task.?review.optMap(r, r.ci).orValue('x') = pass
              task.?review.optMap(r, r.ci) = optional.of(pass)
                task.?review = optional.of(\(open))
                r.ci = pass
                  r = \(open)
            """
        // Without the task itself, which has many fields.
        #expect(lines.filter { !$0.contains(" task = ") }.joined(separator: "\n") == expected)
    }

    @Test func `only the branch of a choice that was taken is there, and what a name was bound to`() throws {
        let expected = """
            task.count > 5 ? task.title : cel.bind(n, task.count, string(n)) = 3
              task.count > 5 = false
                task.count = 3
              cel.bind(n, task.count, string(n)) = 3
                task.count = 3
                string(n) = 3
                  n = 3
            """
        #expect(try trace("task.count > 5 ? task.title : cel.bind(n, task.count, string(n))") == expected)
    }

    @Test func `a trace of thousands of steps is cut, and the value is not`() throws {
        let environment = Environment()
        let list = "[" + Array(repeating: "1", count: 200).joined(separator: ",") + "]"
        let program = try environment.compile(
            "\(list).map(a, \(list).map(b, a + b).size()).size() == 200", traced: true)
        let trace = program.trace(Activation(environment))
        #expect(trace.isCut)
        #expect(describe(trace.root.value) == "true")
        func count(_ step: Trace.Step) -> Int { step.steps.reduce(1) { $0 + count($1) } }
        #expect((10_000...30_000).contains(count(trace.root)))
    }

    @Test func `a program that was not compiled for it only says its value`() throws {
        let trace = try World.environment.compile("task.count + 1").trace(World.activation())
        #expect(describe(trace.root.value) == "4")
        #expect(trace.root.steps.isEmpty)
    }
}
