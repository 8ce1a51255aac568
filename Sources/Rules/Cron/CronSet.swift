/// A piece of a cron expression with its place in it.
struct CronPart: Sendable {
    let text: String
    let range: Range<Int>

    init(_ text: String, at start: Int = 0) {
        self.text = text
        range = start..<(start + text.utf8.count)
    }

    var startsWithStar: Bool { text.utf8.first == 0x2A }

    func split(on separators: Set<UInt8>) -> [CronPart] {
        var parts: [CronPart] = []
        var start = range.lowerBound
        for piece in text.utf8.split(omittingEmptySubsequences: false, whereSeparator: separators.contains) {
            parts.append(CronPart(String(decoding: piece, as: UTF8.self), at: start))
            start += piece.count + 1
        }
        return parts
    }

    func dropLast() -> CronPart { CronPart(String(text.dropLast()), at: range.lowerBound) }
}

/// What a field counts.
enum CronUnit: String, Sendable {
    case minute, hour, month, weekday
    case monthDay = "day"

    var bounds: ClosedRange<Int> {
        switch self {
        case .minute: 0...59
        case .hour: 0...23
        case .monthDay: 1...31
        case .month: 1...12
        case .weekday: 0...7
        }
    }

    private var names: [String] {
        switch self {
        case .month: CivilDate.monthNames
        case .weekday: CivilDate.weekdayNames.map { String($0.prefix(3)) }
        default: []
        }
    }

    func number(_ part: CronPart) throws(CronError) -> Int {
        if let index = names.firstIndex(of: part.text.lowercased()) { return index + bounds.lowerBound }
        let digits = part.text.utf8
        guard !digits.isEmpty, digits.count <= 4, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(part.text), bounds.contains(number)
        else {
            let hint = names.isEmpty ? "" : ", or \(names[0]) to \(names[names.count - 1])"
            throw CronError(
                "'\(part.text)' is no \(rawValue): \(bounds.lowerBound) to \(bounds.upperBound)\(hint)", at: part.range)
        }
        return number
    }
}

/// The numbers that one field names.
struct CronSet: Sendable {
    private(set) var bits: UInt64 = 0

    /// A list: `1,5-10,*/15`.
    init(_ field: CronPart, _ unit: CronUnit) throws(CronError) {
        for item in field.split(on: [0x2C]) { bits |= try CronSet(item: item, unit).bits }
    }

    /// One item of a list: `*`, `7`, `5-10`, each also with a step.
    init(item: CronPart, _ unit: CronUnit) throws(CronError) {
        let halves = item.split(on: [0x2F])
        guard halves.count <= 2 else { throw CronError("'\(item.text)' has more than one step", at: item.range) }
        var range = unit.bounds
        if unit == .weekday { range = 0...6 }
        let ends = halves[0].split(on: [0x2D])
        if halves[0].text != "*" {
            let first = try unit.number(ends[0])
            var last = ends.count > 1 ? try unit.number(ends[1]) : halves.count > 1 ? range.upperBound : first
            if unit == .weekday, ends.count > 1, last == 0, first > 0 { last = 7 }
            guard ends.count <= 2, first <= last else {
                throw CronError("'\(halves[0].text)' is no range: it has to run upwards", at: halves[0].range)
            }
            range = first...last
        }
        var step = 1
        if halves.count > 1 {
            guard halves[1].text.utf8.count <= 3, let number = Int(halves[1].text), number > 0,
                number <= unit.bounds.upperBound
            else {
                throw CronError(
                    "'\(halves[1].text)' is no step: 1 to \(unit.bounds.upperBound)", at: halves[1].range)
            }
            step = number
        }
        for number in stride(from: range.lowerBound, through: range.upperBound, by: step) {
            bits |= 1 << UInt64(number)
        }
    }

    func contains(_ number: Int) -> Bool { bits & (1 << UInt64(number)) != 0 }
}
