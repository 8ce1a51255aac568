import CYAML

/// What libyaml reports, one by one, with byte offsets.
struct YAMLEvent {
    enum Kind {
        case documentStart, documentEnd, streamStart, streamEnd
        case sequenceStart, mappingStart, collectionEnd
        case scalar(String, YAMLScalar.Style)
        case alias(String)
    }

    var kind: Kind
    var range: Range<Int>
    var anchor: String?
    var tag: String?
}

/// Why libyaml could not go on.
struct YAMLSyntaxError: Error {
    var problem: String
    var offset: Int
    /// What was being read, and where that began.
    var context: String
    var contextOffset: Int?
}

/// Reads events from a text. libyaml keeps no more of the file than the token it is at.
final class YAMLEvents {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let offsets: ScalarOffsets

    /// - Parameter source: valid UTF-8.
    init(_ source: [UInt8]) {
        parser = .allocate(capacity: 1)
        bytes = .allocate(capacity: max(1, source.count))
        _ = bytes.update(fromContentsOf: source)
        offsets = ScalarOffsets(source)
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, source.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        bytes.deallocate()
    }

    func next() throws(YAMLSyntaxError) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) != 0 else { throw syntaxError() }
        defer { yaml_event_delete(&event) }
        let start = offsets[event.start_mark.index]
        let range = start..<max(start, offsets[event.end_mark.index])
        switch event.type {
        case YAML_STREAM_START_EVENT: return YAMLEvent(kind: .streamStart, range: range)
        case YAML_DOCUMENT_START_EVENT: return YAMLEvent(kind: .documentStart, range: range)
        case YAML_DOCUMENT_END_EVENT: return YAMLEvent(kind: .documentEnd, range: range)
        case YAML_SEQUENCE_START_EVENT:
            let data = event.data.sequence_start
            return YAMLEvent(kind: .sequenceStart, range: range, anchor: text(data.anchor), tag: text(data.tag))
        case YAML_MAPPING_START_EVENT:
            let data = event.data.mapping_start
            return YAMLEvent(kind: .mappingStart, range: range, anchor: text(data.anchor), tag: text(data.tag))
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return YAMLEvent(kind: .collectionEnd, range: range)
        case YAML_ALIAS_EVENT: return YAMLEvent(kind: .alias(text(event.data.alias.anchor) ?? ""), range: range)
        case YAML_SCALAR_EVENT:
            let data = event.data.scalar
            let value = String(decoding: UnsafeBufferPointer(start: data.value, count: data.length), as: UTF8.self)
            return YAMLEvent(
                kind: .scalar(value, style(data.style)), range: range, anchor: text(data.anchor), tag: text(data.tag))
        default: return YAMLEvent(kind: .streamEnd, range: range)
        }
    }

    private func style(_ style: yaml_scalar_style_t) -> YAMLScalar.Style {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: .literal
        case YAML_FOLDED_SCALAR_STYLE: .folded
        default: .plain
        }
    }

    private func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    private func syntaxError() -> YAMLSyntaxError {
        let state = parser.pointee
        return YAMLSyntaxError(
            problem: state.problem.map { String(cString: $0) } ?? "is no YAML",
            offset: offsets[state.problem_mark.index],
            context: state.context.map { String(cString: $0) } ?? "",
            contextOffset: state.context == nil ? nil : offsets[state.context_mark.index])
    }
}

/// libyaml counts code points; everything else here counts bytes.
private struct ScalarOffsets {
    /// Nil where all is ASCII and the two are the same.
    private let starts: [Int32]?
    private let end: Int

    init(_ bytes: [UInt8]) {
        end = bytes.count
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        starts = isASCII ? nil : bytes.indices.filter { bytes[$0] & 0xC0 != 0x80 }.map(Int32.init)
    }

    subscript(index: Int) -> Int {
        guard let starts else { return min(index, end) }
        return index < starts.count ? Int(starts[index]) : end
    }
}
