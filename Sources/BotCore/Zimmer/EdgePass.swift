package import CEL
import Foundation
import Synchronization

/// The credential for a gate in front of Zimmer: a token that a person has got in a browser and handed to the bot, which
/// cannot renew it.
package final class EdgePass: Sendable {
    private let current: Mutex<APIKey>
    private let read: @Sendable () -> APIKey?

    /// - Parameter read: gets it from where it is kept, or nothing where that does not work.
    package init(_ token: APIKey, rereading read: @escaping @Sendable () -> APIKey? = { nil }) {
        current = Mutex(token)
        self.read = read
    }

    var token: APIKey { current.withLock { $0 } }

    /// After a refusal: an operator may have put another one in its place. The next request has it.
    func reread() {
        guard let token = read() else { return }
        current.withLock { $0 = token }
    }

    /// When its life ends; nil for a token that does not say.
    package var expiry: Timestamp? { Self.expiry(of: token) }

    /// The `exp` of a JWT (RFC 7519, section 4.1.4). Nothing is verified: that is the gate's part.
    private static func expiry(of token: APIKey) -> Timestamp? {
        let parts = token.exposed.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]), let document = try? JSONDocument(payload),
            let seconds = document.root["exp"]?.double, 0..<253_402_300_800 ~= seconds
        else { return nil }
        return Timestamp(seconds: Int64(seconds))
    }
}

/// Base64 in the alphabet for addresses, without padding (RFC 4648, section 5).
enum Base64URL {
    static func encode(_ bytes: [UInt8]) -> String {
        let text = Data(bytes).base64EncodedString()
        return String(
            decoding: text.utf8.compactMap { byte -> UInt8? in
                switch byte {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                case UInt8(ascii: "="): nil
                default: byte
                }
            }, as: UTF8.self)
    }

    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes = text.utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while bytes.count % 4 != 0 { bytes.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(bytes)).map { [UInt8]($0) }
    }
}
