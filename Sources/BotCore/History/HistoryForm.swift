import CEL
import Rules

/// How a recording is written: what its writer and its reader have to agree about.
enum HistoryForm {
    /// The first byte of a row, whose last are a checksum.
    static let version: UInt8 = 2
    /// The same without a checksum, as it was written before: read, and no longer written.
    static let unsealed: UInt8 = 1

    /// What a row is, its second byte.
    enum Row: UInt8 {
        case state = 1
        case decision, act
    }

    /// What follows of something that came in.
    enum Intake: UInt8 {
        case board = 1
        case health, costs, failed, failedCosts, standing, channels, listing
    }

    enum Order: UInt8 {
        case same, edited, new
    }

    enum Departure: UInt8 {
        case archived = 1
        case gone, unreadable
    }

    enum Act: UInt8 {
        case attempted = 1
        case done, refused, retry, unsettled, unknown
        case withdrawn, gaveUp, skipped
        case steered, acknowledged
    }

    struct Flags: OptionSet {
        let rawValue: UInt8

        static let isClockPutForward = Flags(rawValue: 1)
        static let isStart = Flags(rawValue: 2)
        static let isReload = Flags(rawValue: 4)
    }
}

extension ByteWriter {
    /// A time near another.
    mutating func timestamp(_ time: Timestamp, after base: Timestamp) {
        signed(time.seconds &- base.seconds)
        signed(Int64(time.nanoseconds) - Int64(base.nanoseconds))
    }

    mutating func optional(_ text: String?) {
        byte(text == nil ? 0 : 1)
        if let text { self.text(text) }
    }

    mutating func optional(_ time: Timestamp?) {
        byte(time == nil ? 0 : 1)
        if let time { timestamp(time) }
    }

    mutating func duration(_ duration: Duration) {
        signed(duration.components.seconds)
        signed(duration.components.attoseconds)
    }

    mutating func flag(_ flag: Bool) {
        byte(flag ? 1 : 0)
    }
}

extension ByteReader {
    mutating func timestamp(after base: Timestamp) throws(Failure) -> Timestamp {
        let seconds = base.seconds &+ (try signed())
        let nanoseconds = Int64(base.nanoseconds) &+ (try signed())
        guard -62_135_596_800...253_402_300_799 ~= seconds, 0...999_999_999 ~= nanoseconds else {
            throw Failure("a recorded time is out of range")
        }
        return Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
    }

    mutating func optionalText() throws(Failure) -> String? {
        try byte() == 0 ? nil : try text()
    }

    mutating func optionalTimestamp() throws(Failure) -> Timestamp? {
        try byte() == 0 ? nil : try timestamp()
    }

    mutating func duration() throws(Failure) -> Duration {
        let seconds = try signed()
        return Duration(secondsComponent: seconds, attosecondsComponent: try signed())
    }

    mutating func flag() throws(Failure) -> Bool {
        try byte() != 0
    }

    /// A byte that stands for a case.
    mutating func word<Word: RawRepresentable>(_: Word.Type) throws(Failure) -> Word where Word.RawValue == UInt8 {
        guard let word = Word(rawValue: try byte()) else { throw Failure("the recording has an unknown word") }
        return word
    }
}

// MARK: - Requests of costs

extension ByteWriter {
    mutating func request(_ request: CostsRequest) {
        switch request.window.span {
        case .today: byte(0)
        case .yesterday: byte(1)
        case .week: byte(2)
        case .month: byte(3)
        case .back(let duration):
            byte(4)
            self.duration(duration)
        }
        optional(request.window.agentRoot)
        text(request.timeZone)
        optional(request.slot)
    }
}

extension ByteReader {
    mutating func request() throws(Failure) -> CostsRequest {
        let span: CostsWindow.Span =
            switch try byte() {
            case 0: .today
            case 1: .yesterday
            case 2: .week
            case 3: .month
            case 4: .back(try duration())
            default: throw Failure("the recording has an unknown window of costs")
            }
        let root = try optionalText()
        let zone = try text()
        return CostsRequest(
            window: CostsWindow(span, agentRoot: root), timeZone: zone, slot: try optionalTimestamp())
    }
}
