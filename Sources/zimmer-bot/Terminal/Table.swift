import AdapterKit

/// Rows in columns as wide as their widest cell. Cells are other people's text: each becomes one printable line.
struct Table {
    private let header: [String]
    private var rows: [[String]] = []

    /// - Parameter header: empty for a table without one.
    init(_ header: [String] = []) {
        self.header = header
    }

    mutating func add(_ cells: String...) {
        rows.append(cells.map(\.printableLine))
    }

    func text(_ palette: Palette) -> String {
        let all = header.isEmpty ? rows : [header] + rows
        let widths = (0..<(all.map(\.count).max() ?? 0)).map { column in
            all.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return all.enumerated().map { index, cells in
            let line = Self.line(cells, widths)
            return (index == 0 && !header.isEmpty ? palette.faint(line) : line) + "\n"
        }.joined()
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (column, cell) in cells.enumerated() {
            line += cell
            if column < cells.count - 1 { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
        }
        // An empty last cell leaves no blanks behind at the end of the line.
        let end = line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex
        return String(line[..<end])
    }
}
