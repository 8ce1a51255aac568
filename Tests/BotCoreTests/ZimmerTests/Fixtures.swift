import CEL
import Foundation
import Testing

@testable import BotCore

/// Bodies of Zimmer's answers, invented, with exact shapes.
enum Fixture {
    /// The instant of all of them.
    static let now = Timestamp(seconds: 1_791_547_200)

    static func bytes(_ name: String) throws -> [UInt8] {
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures"))
        return Array(try Data(contentsOf: url))
    }

    static func document(_ name: String) throws -> JSONValue {
        try JSONDocument(bytes(name)).root
    }

    static func names() throws -> [String] {
        let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
            .map { String($0.dropLast(5)) }.sorted()
    }

    static func rows(_ name: String) throws -> [SessionRow] {
        let sessions = try #require(document(name)["sessions"])
        let decoder = SessionDecoder(webURL: "https://zimmer.example.com")
        return sessions.elements.compactMap { decoder.row($0) }
    }
}

/// A transport that answers from a function and remembers what was asked.
final class FakeTransport: HTTPTransport {
    typealias Answer = @Sendable (HTTPRequest) throws(HTTPError) -> HTTPResponse

    private let recorded = Recorder()
    private let answer: Answer

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    convenience init(_ response: HTTPResponse) {
        self.init { _ throws(HTTPError) in response }
    }

    var requests: [HTTPRequest] {
        get async { await recorded.requests }
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        await recorded.add(request)
        return try answer(request)
    }

    private actor Recorder {
        private(set) var requests: [HTTPRequest] = []
        func add(_ request: HTTPRequest) { requests.append(request) }
    }
}

extension ZimmerClient {
    init(_ transport: any HTTPTransport, allowed: Set<ZimmerCall> = Set(ZimmerCall.allCases)) throws {
        let address = try #require(ZimmerAddress("https://zimmer.example.com"))
        self.init(address, key: APIKey("zmr_hunter2"), transport: transport, version: "1.2.3", allowed: allowed)
    }
}
