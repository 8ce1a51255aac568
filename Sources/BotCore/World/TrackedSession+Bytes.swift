import CEL

extension TrackedSession {
    private static let version: UInt8 = 1

    /// For the store.
    package var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.byte(Self.version)
        writer.text(status)
        writer.timestamp(statusSince)
        for time in [statusNotBefore, sentTouchedAt, touchedAt, wroteAt] {
            writer.byte(time == nil ? 0 : 1)
            if let time { writer.timestamp(time) }
        }
        writer.count(checks.count)
        for check in checks {
            writer.text(check.url)
            writer.text(check.ci)
            writer.timestamp(check.since)
        }
        return writer.bytes
    }

    /// What was stored; nil when the bytes are of another form, which is the same as never having seen the session.
    package init?(bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        do throws(ByteReader.Failure) {
            guard try reader.byte() == Self.version else { return nil }
            try self.init(from: &reader)
            try reader.finish()
        } catch {
            return nil
        }
    }

    private init(from reader: inout ByteReader) throws(ByteReader.Failure) {
        func optional() throws(ByteReader.Failure) -> Timestamp? {
            try reader.byte() == 0 ? nil : try reader.timestamp()
        }
        let status = try reader.text()
        let since = try reader.timestamp()
        let times = (try optional(), try optional(), try optional(), try optional())
        var checks: [Checks] = []
        for _ in 0..<(try reader.count()) {
            checks.append(Checks(url: try reader.text(), ci: try reader.text(), since: try reader.timestamp()))
        }
        self.init(
            status: status, statusSince: since, statusNotBefore: times.0, checks: checks, sentTouchedAt: times.1,
            touchedAt: times.2, wroteAt: times.3)
    }
}
