import AdapterKit

extension Delivery {
    /// All that a chat shows of the message, fit to be shown: title, text, the chart as a line, and that it may be there
    /// already. The last stands at the end, so that a second try is cut into the same parts as the first.
    ///
    /// - Parameters:
    ///   - hasTitleApart: The service shows the title itself.
    ///   - hasPicture: The chart's picture is sent too.
    func chatText(hasTitleApart: Bool = false, hasPicture: Bool = false) -> TextTree {
        var blocks = message.body.printable.blocks
        if let title = message.title?.printableLine, !title.isEmpty, !hasTitleApart {
            blocks.insert(.paragraph([.strong([.text(title)])]), at: 0)
        }
        if let chart = message.chart, !hasPicture { blocks.append(.paragraph([.text(chart.sparkline)])) }
        if mayBeRepeated { blocks.append(.paragraph([.emphasis([.text("(may have been sent before)")])])) }
        if blocks.isEmpty { blocks = [.paragraph([.text(message.kind.rawValue)])] }
        return TextTree(blocks)
    }
}
