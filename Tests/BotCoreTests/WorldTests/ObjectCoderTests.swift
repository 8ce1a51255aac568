import CEL
import Testing

@testable import BotCore

@Suite struct ObjectCoderTests {
    private let coder = ObjectCoder()

    private func sessions() throws -> [Value] {
        var tracker = SessionTracker()
        let rows = try Fixture.rows("sessions_page1") + Fixture.rows("sessions_tolerance")
        return rows.map { .object(tracker.reading(of: $0, previous: nil, at: Fixture.now).object) }
    }

    /// A value with everything inside it, errors and object fields by name.
    private func deep(_ value: Value) -> String {
        switch value {
        case .object(let object):
            let fields = zip(object.type.fields, object.slots).map { "\($0.name)=\(deep($1))" }
            return "\(object.type.name)(\(fields.joined(separator: ",")))"
        case .list(let elements): return "[\(elements.map(deep).joined(separator: ","))]"
        case .map(let map): return "{\(map.entries.map { "\(deep($0.key)):\(deep($0.value))" }.joined(separator: ","))}"
        case .optional(let optional): return "optional(\(optional.wrapped.map(deep) ?? "none"))"
        case .error(let error): return "error(\(error.code),\(error.message))"
        default: return "\(value)"
        }
    }

    @Test func `readings are read as they were written`() throws {
        let health = HealthReading(try Fixture.document("health_ok"), readAt: Fixture.now, serverDate: nil)
        let window = CostsInterval(from: Fixture.now, to: Fixture.now)
        let costs = CostsReading(try Fixture.document("costs_7d"), window: window, readAt: Fixture.now, serverDate: nil)
        let standing = ZimmerStanding(isReachable: true, lastReadAt: nil, startedAt: Fixture.now)
        let values: [Value] =
            try sessions() + [
                .object(health.object), .object(costs.object), .object(standing.object), .list(try sessions()),
            ]
        for value in values {
            #expect(try deep(coder.decode(coder.encode(value))) == deep(value))
        }
    }

    @Test func `a stored session is a reading again`() throws {
        let object = try #require(
            sessions().compactMap { if case .object(let object) = $0 { object } else { nil } }.first)
        guard case .object(let stored) = try coder.decode(coder.encode(.object(object))) else {
            return #expect(Bool(false))
        }
        let reading = try #require(SessionReading(stored))
        #expect(reading.id == 1220)
        #expect(reading.status == "waiting")
        #expect(reading.title == "Session 1220")
        #expect(SessionReading(Object(WorldSchema.session, named: [:])) == nil)
        #expect(SessionReading(Object(WorldSchema.zimmer, named: [:])) == nil)
    }

    @Test(arguments: [
        Value.null, .bool(true), .bool(false), .int(.min), .int(.max), .int(-1), .uint(.max), .double(-0.0),
        .double(.infinity),
        .string(""), .string("e\u{301}\u{0}😀"), .bytes([0, 255]),
        .timestamp(Timestamp(seconds: -1, nanoseconds: 999_999_999)),
        .timestamp(Timestamp(seconds: 253_402_300_799)), .duration(.nanoseconds(-1)), .duration(.seconds(Int64.max)),
        .list([]), .map(MapValue([(.int(1), .string("a")), (.string("b"), .null)])), .optional(.none),
        .optional(OptionalValue(.optional(.none))), .error(EvaluationError(.absent, "x")),
    ])
    func `values of every kind are read as they were written`(value: Value) throws {
        #expect(try deep(coder.decode(coder.encode(value))) == deep(value))
    }

    @Test func `not a number stays one`() throws {
        guard case .double(let number) = try coder.decode(coder.encode(.double(.nan))) else {
            return #expect(Bool(false))
        }
        #expect(number.isNaN)
    }

    @Test func `a field that is new is null or unavailable, one that is gone is left out`() throws {
        let old = ObjectType("thing", [.init("a", .int), .init("gone", .string), .init("b", .string)])
        let new = ObjectType(
            "thing", [.init("b", .string), .init("maybe", .nullable(.int)), .init("a", .int), .init("must", .int)])
        let bytes = ObjectCoder(types: [old]).encode(
            .list([.object(Object(old, [.int(1), .string("x"), .string("y")]))]))
        guard case .list(let list) = try ObjectCoder(types: [new]).decode(bytes), case .object(let read)? = list.first
        else {
            return #expect(Bool(false))
        }
        #expect(read.type == new)
        #expect(read["a"].shown == "1")
        #expect(read["b"].shown == "y")
        #expect(read["maybe"].shown == "null")
        #expect(read["must"].isUnavailable)
        #expect(throws: ObjectCoder.Failure.self) { try ObjectCoder(types: []).decode(bytes) }
    }

    @Test func `a session takes about as many bytes as its text`() throws {
        let all = try sessions()
        let together = coder.encode(.list(all)).count
        #expect(together < all.count * 1_200)
    }

    @Test func `what is too deep or no value is stored as an error`() throws {
        let deepList = (0..<200).reduce(Value.int(1)) { value, _ in .list([value]) }
        #expect(throws: Never.self) { try coder.decode(coder.encode(deepList)) }
        #expect(try coder.decode(coder.encode(.type(.int))).isUnavailable)
    }

    @Test func `every cut is a failure`() throws {
        let bytes = coder.encode(try #require(sessions().last))
        for length in 0..<bytes.count {
            #expect(throws: ObjectCoder.Failure.self) { try coder.decode(Array(bytes[..<length])) }
        }
        #expect(throws: ObjectCoder.Failure.self) { try coder.decode(bytes + [0]) }
        #expect(throws: ObjectCoder.Failure.self) { try coder.decode([9] + bytes.dropFirst()) }
    }

    @Test func `stored bytes may be anything`() throws {
        let bytes = coder.encode(.list(Array(try sessions().prefix(3))))
        for seed in 0..<5_000 {
            var broken = bytes
            for offset in 0..<4 {
                var digest = UInt64(seed * 4 + offset) &* 0x9E37_79B9_7F4A_7C15
                digest ^= digest >> 29
                broken[Int(digest % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: digest >> 40)
            }
            guard let value = try? coder.decode(broken) else { continue }
            #expect(try deep(coder.decode(coder.encode(value))) == deep(value))
        }
        // Counts that promise more than there is, and nesting without end.
        #expect(throws: ObjectCoder.Failure.self) { try coder.decode([1, 10, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]) }
        #expect(throws: ObjectCoder.Failure.self) { try coder.decode([1] + [UInt8](repeating: 14, count: 100_000)) }
        let lists = [UInt8]((0..<100_000).flatMap { _ in [10, 1] as [UInt8] })
        #expect(throws: ObjectCoder.Failure.self) { try coder.decode([1] + lists) }
    }
}
