import CEL
import Foundation
import Rules

extension CostsRequest {
    /// The window with its ends fixed, to the minute as Zimmer rounds them.
    func interval(now: Timestamp) -> CostsInterval {
        let zone = TimeZone(identifier: timeZone) ?? .gmt
        let instant = slot ?? now
        let minute = Timestamp(seconds: instant.seconds - instant.seconds % 60)
        return CostsInterval(window, in: zone, at: minute)
    }
}
