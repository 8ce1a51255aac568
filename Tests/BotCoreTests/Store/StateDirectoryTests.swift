import BotTestSupport
import Testing

@testable import BotCore

@Suite struct StateDirectoryTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var option: String?
        var environment: [String: String]
        var path: String
        var testDescription: String { path }
    }

    @Test(arguments: [
        Case(option: "here", environment: ["STATE_DIRECTORY": "/service"], path: "here"),
        Case(environment: ["STATE_DIRECTORY": "/service", "XDG_STATE_HOME": "/xdg"], path: "/service"),
        Case(environment: ["STATE_DIRECTORY": "/first:/second"], path: "/first"),
        Case(environment: ["STATE_DIRECTORY": "", "XDG_STATE_HOME": "/xdg", "HOME": "/h"], path: "/xdg/zimmer-bot"),
        Case(environment: ["XDG_STATE_HOME": "relative", "HOME": "/h"], path: "/h/.local/state/zimmer-bot"),
    ])
    func `the option comes before the service's directory, and that before the user's`(example: Case) throws {
        let directory = try StateDirectory.resolve(option: example.option, environment: example.environment)
        #expect(directory.path == example.path)
    }

    @Test func `without any of them the error names the option`() {
        #expect {
            try StateDirectory.resolve(option: nil, environment: [:])
        } throws: {
            "\($0)".contains("--state")
        }
        #expect(throws: StateDirectoryError.self) {
            try StateDirectory.resolve(option: "", environment: ["HOME": "/h"])
        }
    }

    @Test func `where it cannot be made the message names each path once`() throws {
        let temporary = try TemporaryDirectory()
        try temporary.write("", to: "file")
        let file = temporary.path("file")
        for (path, place) in [("\(file)/a", "\(file)/a"), ("\(file)/a/b", "\(file)/a/b: \(file)/a")] {
            let error = #expect(throws: StateDirectoryError.self) { try StateDirectory(path).create() }
            #expect(
                error?.description
                    == "cannot create the state directory \(place): Not a directory; use --state DIR")
        }
    }

    @Test func `it is created with what is missing above it, for the owner only`() throws {
        let temporary = try TemporaryDirectory()
        let directory = StateDirectory(temporary.path("a/b/c"))
        try directory.create()
        try directory.create()
        #expect(mode(of: directory.path) == 0o700)
        #expect(mode(of: temporary.path("a")) == 0o700)
    }

    @Test(arguments: ["file", "file/below"])
    func `a file in the way is named`(name: String) throws {
        let temporary = try TemporaryDirectory()
        let file = try temporary.write("", to: "file")
        #expect {
            try StateDirectory(temporary.path(name)).create()
        } throws: {
            "\($0)".contains(file)
        }
    }

    @Test func `a place where it may not write is named`() throws {
        let temporary = try TemporaryDirectory()
        try withoutWritePermission(temporary.path) {
            #expect(throws: StateDirectoryError.self) { try StateDirectory(temporary.path("state")).create() }
        }
    }
}
