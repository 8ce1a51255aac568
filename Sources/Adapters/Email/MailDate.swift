import AdapterKit

extension WallTime {
    /// As RFC 5322, section 3.3 writes it, in UTC: `Fri, 09 Oct 2026 12:02:00 +0000`.
    var mailDate: String {
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        // `2026-10-09T12:02:00Z`, always of this length.
        let parts = rfc3339.split { "-TZ".contains($0) }
        // 1970-01-01 was a Thursday.
        let day = Int(((seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400) % 7 + 11) % 7)
        let month = months[((Int(parts[1]) ?? 1) - 1) % 12]
        return "\(days[day]), \(parts[2]) \(month) \(parts[0]) \(parts[3]) +0000"
    }
}
