/// A whole YAML file, read so that one mistake does not hide the others.
struct YAMLDocument {
    /// Nil when nothing of the file could be read.
    let root: YAMLNode?

    private static let mostRepairs = 20

    /// Reports everything wrong with the text as YAML.
    ///
    /// Where libyaml gives up, the value (or the line) it stumbled over is taken out and the file read again.
    init(_ collector: DiagnosticCollector) {
        var bytes = collector.source.bytes
        var broken: Set<Int> = []
        var holes: Set<Int> = []
        var root: YAMLNode?
        guard Self.isAcceptable(collector) else {
            self.root = nil
            return
        }
        for _ in 0..<Self.mostRepairs {
            var reader = YAMLReader(bytes, of: collector.source, broken: broken)
            do {
                root = try reader.read()
            } catch let error as YAMLSyntaxError {
                let fault = YAMLFault(error, in: bytes)
                collector.isBroken = true
                collector.error(fault.message, at: fault.range)
                guard broken.insert(fault.damage.lowerBound).inserted else { break }
                for offset in fault.damage { bytes[offset] = UInt8(ascii: fault.isValue ? "x" : " ") }
                if !fault.isValue { holes.insert(fault.damage.lowerBound) }
                continue
            } catch {
                root = nil
            }
            for issue in reader.issues { collector.error(issue.message, at: issue.range) }
            if root == nil, reader.issues.isEmpty, holes.isEmpty { collector.error("the file is empty", at: 0..<0) }
            break
        }
        collector.hasHoles = !holes.isEmpty
        self.root = root
    }

    /// Size and control characters, which libyaml would complain about without saying where.
    private static func isAcceptable(_ collector: DiagnosticCollector) -> Bool {
        let bytes = collector.source.bytes
        guard bytes.count <= YAMLReader.Limit.bytes else {
            collector.error("a rules file has at most 1 MiB", at: 0..<0)
            return false
        }
        var offset = 0
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            let length = UTF8.width(scalar)
            defer { offset += length }
            switch scalar.value {
            case 0x09, 0x0A, 0x20...0x7E, 0x85, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...: continue
            default:
                let code = String(scalar.value, radix: 16, uppercase: true)
                let padded = String(repeating: "0", count: max(0, 4 - code.count)) + code
                collector.error(
                    "the character U+\(padded) cannot stand in YAML: write it as \"\\u\(padded)\" in double quotes",
                    at: offset..<(offset + length))
                return false
            }
        }
        return true
    }
}
