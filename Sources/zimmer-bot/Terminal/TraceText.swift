import AdapterKit
import CEL

extension Trace {
    /// A line for every part of `source` that was evaluated, below what it is a part of: what it is and what it came to.
    func text(of source: String, _ palette: Palette) -> String {
        var lines = root.lines(of: Array(source.utf8), depth: 0, palette)
        if isCut { lines.append(palette.faint("… and more")) }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension Trace.Step {
    private static let longest = 120

    fileprivate func lines(of source: [UInt8], depth: Int, _ palette: Palette) -> [String] {
        let part = String(decoding: source[range], as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ").printableLine.clipped(to: Self.longest)
        let result: String
        if case .error(let error) = value {
            result = palette.warning((isAbsorbed ? "made up for: " : "error: ") + error.message.printableLine)
        } else {
            result = value.text.printableLine.clipped(to: Self.longest)
        }
        let line = "\(String(repeating: "  ", count: depth))\(part) \(palette.faint("=")) \(result)"
        return [line] + steps.flatMap { $0.lines(of: source, depth: depth + 1, palette) }
    }
}
