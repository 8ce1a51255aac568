import CEL

/// A pattern of `date()`: letters stand for parts of a time, anything else, and what is between single quotes, for itself.
struct DatePattern: Sendable {
    private enum Part: Hashable, Sendable {
        case literal(String)
        case field(Field)
    }

    private enum Field: String, CaseIterable, Sendable {
        case year = "yyyy"
        case month = "MM"
        case dayOfTwo = "dd"
        case day = "d"
        case hour = "HH"
        case minute = "mm"
        case second = "ss"
        case weekday = "EEE"
        case weekdayName = "EEEE"
        case monthName = "MMM"
        case zone = "zzz"
    }

    private static let longest = 200

    private var parts: [Part] = []

    init(_ pattern: String) throws(EvaluationError) {
        guard pattern.utf8.count <= Self.longest else {
            throw EvaluationError(.invalidArgument, "a date pattern has at most \(Self.longest) bytes")
        }
        var rest = pattern[...]
        while let first = rest.first {
            if first == "'" {
                let quoted = rest.dropFirst().prefix { $0 != "'" }
                parts.append(.literal(quoted.isEmpty ? "'" : String(quoted)))
                rest = rest.dropFirst(quoted.count + 2)
            } else if first.isASCII, first.isLetter {
                let run = rest.prefix { $0 == first }
                guard let field = Field(rawValue: String(run)) else {
                    let known = Field.allCases.map(\.rawValue).joined(separator: " ")
                    throw EvaluationError(
                        .invalidArgument, "date() does not know '\(run)': there are \(known), and 'words' in quotes")
                }
                parts.append(.field(field))
                rest = rest.dropFirst(run.count)
            } else {
                parts.append(.literal(String(first)))
                rest = rest.dropFirst()
            }
        }
    }

    func format(_ time: Timestamp, on clock: LocalClock) -> String {
        let local = clock.local(time.seconds)
        let days = Int(local.flooredQuotient(86_400))
        let date = CivilDate(daysSinceEpoch: days)
        let ofDay = Int(local) - days * 86_400
        return parts.map { part in
            switch part {
            case .literal(let text): text
            case .field(.year): date.year.padded(4)
            case .field(.month): date.month.padded(2)
            case .field(.monthName): CivilDate.monthNames[date.month - 1].capitalizedFirst
            case .field(.dayOfTwo): date.day.padded(2)
            case .field(.day): String(date.day)
            case .field(.hour): (ofDay / 3_600).padded(2)
            case .field(.minute): (ofDay / 60 % 60).padded(2)
            case .field(.second): (ofDay % 60).padded(2)
            case .field(.weekday): String(CivilDate.weekdayNames[date.weekday].capitalizedFirst.prefix(3))
            case .field(.weekdayName): CivilDate.weekdayNames[date.weekday].capitalizedFirst
            case .field(.zone): clock.abbreviation(at: time.seconds)
            }
        }.joined()
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
