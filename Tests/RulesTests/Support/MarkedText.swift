import Rules

/// A text in which `↓` marks the places where something is expected: right before the character that is meant.
struct MarkedText {
    let text: String
    /// `line:column` of each mark, in order.
    let marks: [String]

    init(_ marked: String) {
        var text = ""
        var marks: [String] = []
        var line = 1
        var column = 1
        for character in marked {
            if character == "↓" {
                marks.append("\(line):\(column)")
                continue
            }
            text.append(character)
            column += 1
            if character == "\n" { (line, column) = (line + 1, 1) }
        }
        self.text = text
        self.marks = marks
    }
}

extension RuleDiagnostic {
    var place: String { "\(position.line):\(position.column)" }
}
