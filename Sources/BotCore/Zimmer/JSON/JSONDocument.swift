import CSimdjson

/// A parsed JSON text. Values read from it are views that keep it alive; what is kept for long is copied out.
package final class JSONDocument: Sendable {
    /// Why a text is not a document.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Containers inside containers.
    static let maximumDepth = 64
    /// Values and member names together; a page of 100 sessions has about 15,000.
    static let maximumNodes = 500_000

    private nonisolated(unsafe) let document: OpaquePointer
    nonisolated(unsafe) let nodes: UnsafeBufferPointer<zb_json_node>
    private let room: LargeBody?

    /// Parses `text`, which is limited by whoever received it.
    ///
    /// The parser refuses a whole text for one value that it cannot hold: an unpaired surrogate, an integer of more than
    /// 64 bits, `1e400`. Then the text is parsed once more with those repaired (`JSONRepair`), so that one bad value
    /// costs its own member and not the page.
    ///
    /// - Parameter room: what the text came with, kept as long as the document is, which takes more than the text.
    package init(_ text: [UInt8], in room: LargeBody? = nil) throws(Failure) {
        document = try Self.parsedOrRepaired(text).get()
        self.room = room
        nodes = UnsafeBufferPointer(start: zb_json_nodes(document), count: zb_json_node_count(document))
    }

    deinit {
        zb_json_free(document)
    }

    package var root: JSONValue { JSONValue(self, 0) }

    private static func parsedOrRepaired(_ text: [UInt8]) -> Result<OpaquePointer, Failure> {
        guard !hasTooManyNodes(text) else { return .failure(Failure(description: "it has too many values")) }
        let result = parse(text)
        guard case .failure = result, let repaired = JSONRepair.repaired(text) else { return result }
        return parse(repaired)
    }

    private static func parse(_ text: [UInt8]) -> Result<OpaquePointer, Failure> {
        var problem: UnsafePointer<CChar> = zb_json_no_problem()
        let document = text.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            guard let start = bytes.baseAddress else { return nil }
            return zb_json_parse(start, bytes.count, maximumDepth, &problem)
        }
        if let document { return .success(document) }
        return .failure(Failure(description: text.isEmpty ? "the text is empty" : String(cString: problem)))
    }

    /// Found out before it is parsed: what the parser takes grows with the values, not with the text.
    private static func hasTooManyNodes(_ text: [UInt8]) -> Bool {
        // Each needs two bytes.
        guard text.count / 2 > maximumNodes else { return false }
        return text.withUnsafeBufferPointer { zb_json_expected_nodes($0.baseAddress, $0.count) } > maximumNodes
    }
}
