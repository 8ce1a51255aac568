extension HTTPResponse {
    /// What an answer says about a delivery, as every HTTP adapter reads it.
    ///
    /// 2xx is delivered; 408, 425, 429 (which the whole account heeds) and 502-504 ask to wait; 500 and the rest of 5xx may pass; anything else stays as
    /// it is. Redirects are not followed, so they are refusals. 401, 403, 404, 410 and redirects are about the channel.
    ///
    /// - Parameters:
    ///   - address: Whom the request went to, for the reason.
    ///   - redactor: Knows the secrets of the request, which an answer may repeat.
    ///   - now: For a `Retry-After` that is a date.
    public func outcome(from address: HTTPAddress, redactor: Redactor, now: WallTime) -> DeliveryOutcome {
        let reason = "\(address) answered \(status)\(excerpt(redactor))"
        switch status {
        case 200...299:
            return .delivered(Receipt())
        case 429:
            return .wait(reason: reason, retryAfter: retryAfter(now: now), affects: .account)
        case 408, 425, 502, 503, 504:
            return .wait(reason: reason, retryAfter: retryAfter(now: now))
        case 500...599:
            return .maybe(reason: reason)
        case 300...399:
            return .never(reason: "\(reason) (redirects are not followed; correct the address)", affects: .channel)
        case 401, 403, 404, 410:
            return .never(reason: reason, affects: .channel)
        default:
            return .never(reason: reason)
        }
    }

    /// How long the other side asks to wait: the header in seconds or as a date, else `retry_after` (seconds, a fraction
    /// allowed) or `retry_after_ms` of a JSON body. Never negative, and at most a year.
    public func retryAfter(now: WallTime) -> Duration? {
        if let header = headers["retry-after"] {
            if let seconds = Self.decimal(header) { return Self.milliseconds(seconds * 1000) }
            if let date = WallTime(httpDate: header) { return max(.zero, date - now) }
        }
        if let seconds = number("retry_after") { return Self.milliseconds(seconds * 1000) }
        return number("retry_after_ms").map(Self.milliseconds)
    }

    /// The number behind a name, wherever in the beginning of the body it stands: for one number no parser is needed.
    private func number(_ name: String) -> Double? {
        let text = body.prefix(4096)
        guard let found = text.firstRange(of: Array("\"\(name)\"".utf8)) else { return nil }
        let blanks = Array(" \t\r\n".utf8)
        let rest = text[found.upperBound...].drop(while: blanks.contains)
        guard rest.first == UInt8(ascii: ":") else { return nil }
        let value = rest.dropFirst().drop(while: blanks.contains).prefix { ($0 >= 48 && $0 <= 57) || $0 == 46 }
        return Self.decimal(String(decoding: value, as: UTF8.self))
    }

    private static func milliseconds(_ count: Double) -> Duration {
        .milliseconds(Int64(min(count, 366 * 86_400_000).rounded()))
    }

    private static func decimal(_ text: String) -> Double? {
        let digits = text.utf8
        guard (1...20).contains(digits.count), digits.allSatisfy({ ($0 >= 48 && $0 <= 57) || $0 == 46 }) else {
            return nil
        }
        return Double(text)
    }

    /// The beginning of the body, fit to be shown: at most 256 bytes on one line.
    private func excerpt(_ redactor: Redactor) -> String {
        let text = redactor.redact(String(decoding: body, as: UTF8.self)).printableLine
        let words = text.split(separator: " ").joined(separator: " ")
        return words.isEmpty ? "" : ": " + words.clipped(toBytes: 256)
    }
}

extension HTTPFailure {
    /// What a request without an answer says about a delivery.
    public func outcome(from address: HTTPAddress, redactor: Redactor) -> DeliveryOutcome {
        let reason = "\(address): \(redactor.redact(detail).printableLine.clipped(to: 200))"
        switch code {
        case .unreachable, .untrusted: return .wait(reason: reason, retryAfter: nil)
        case .timedOut, .interrupted: return .lost(reason: reason)
        case .invalidRequest: return .never(reason: reason, affects: .channel)
        }
    }
}
