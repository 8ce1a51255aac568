/// Lines that the server sent as one: the answer to a label, or what was said long ago.
struct Batches: Sendable {
    private struct Batch {
        var label: String?
        var isHistory: Bool
        var refusal: IncomingLine?
    }

    private static let mostOpen = 50
    private static let historyTypes = ["chathistory", "playback", "znc.in/playback"]

    private var open: [String: Batch] = [:]

    /// Takes a `BATCH` line. At the end of a batch that answers a label: the label, and the refusal among its lines.
    mutating func receive(_ line: IncomingLine) -> (label: String, refusal: IncomingLine?)? {
        let reference = line.parameter(0)
        let name = String(reference.dropFirst())
        if reference.hasPrefix("-") {
            guard let batch = open.removeValue(forKey: name), let label = batch.label else { return nil }
            return (label, batch.refusal)
        }
        guard reference.hasPrefix("+"), open.count < Self.mostOpen else { return nil }
        // History within something else is history too.
        let isWithinHistory = line.tags["batch"].flatMap { open[$0]?.isHistory } ?? false
        open[name] = Batch(
            label: line.tags["label"],
            isHistory: isWithinHistory || Self.historyTypes.contains(line.parameter(1).lowercased()))
        return nil
    }

    /// Takes a line of an open batch. True where the batch is the answer to a label, and the line a refusal in it.
    mutating func add(_ line: IncomingLine, to reference: String) -> Bool {
        guard open[reference]?.label != nil, line.isRefusal else { return false }
        open[reference]?.refusal = line
        return true
    }

    func isHistory(_ line: IncomingLine) -> Bool {
        line.tags["batch"].flatMap { open[$0]?.isHistory } ?? false
    }
}
