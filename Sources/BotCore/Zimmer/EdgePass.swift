package import CEL
import Foundation
import Synchronization

/// The credential for a gate in front of Zimmer: a token that a person has got in a browser and handed to the bot, which
/// cannot renew it.
package final class EdgePass: Sendable {
    private let current: Mutex<(token: EdgeToken, fault: TokenFault?)>
    private let read: @Sendable () throws(TokenFault) -> EdgeToken?

    /// - Parameter read: gets it from where it is kept, or nothing where that does not work.
    package init(
        _ token: EdgeToken, rereading read: @escaping @Sendable () throws(TokenFault) -> EdgeToken? = { nil }
    ) {
        current = Mutex((token, nil))
        self.read = read
    }

    var token: APIKey { current.withLock { $0.token.secret } }

    /// After a refusal: an operator may have put another one in its place. The next request has it.
    func reread() {
        do throws(TokenFault) {
            guard let token = try read() else { return }
            current.withLock { $0 = (token, nil) }
        } catch {
            current.withLock { $0.fault = error }
        }
    }

    /// Why what was put in its place is not used.
    var fault: TokenFault? { current.withLock { $0.fault } }

    /// When its life ends; nil for a token that does not say.
    package var expiry: Timestamp? {
        guard case .at(let time) = current.withLock({ $0.token.expiry }) else { return nil }
        return time
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
