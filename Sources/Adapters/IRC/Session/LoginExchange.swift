import AdapterKit
import Foundation

/// The exchange by which we log in to a services account (SASL).
struct LoginExchange: Sendable {
    enum Step: Hashable, Sendable {
        case none
        case send([OutgoingLine])
        case done
        case failed(Ending)
    }

    static let timeout = Duration.seconds(15)
    /// So much base64 goes into one line; a last line that is full is followed by an empty one.
    private static let chunk = 400

    let login: ServerSettings.Login

    func start() -> Step {
        send([login.mechanism])
    }

    func receive(_ line: IncomingLine) -> Step {
        if line.command == "AUTHENTICATE" {
            // Neither mechanism has a challenge.
            return line.parameter(0) == "+" ? send(chunks) : send(["*"])
        }
        switch line.numeric {
        case 903: return .done
        case 902: return .failed(failure(line, "the account is locked: a person has to log in to it once"))
        case 904, 905:
            return .failed(
                failure(line, "check 'sasl' in the rules file: the account, and its password or certificate"))
        case 906: return .failed(failure(line, "it was broken off"))
        case 908: return .failed(failure(line, "the server does not take \(login.mechanism): use another 'mechanism'"))
        default: return .none
        }
    }

    private func failure(_ line: IncomingLine, _ advice: String) -> Ending {
        Ending(.notLoggedIn, "the login was refused (\(line.command): \(line.trailing)); \(advice)")
    }

    private var chunks: [String] {
        let text: String
        switch login {
        case .plain(let account, let password):
            text = Data("\0\(account)\0\(password.reveal())".utf8).base64EncodedString()
        case .external(let account):
            guard let account else { return ["+"] }
            text = Data(account.utf8).base64EncodedString()
        }
        var chunks: [String] = []
        var rest = text.utf8[...]
        while !rest.isEmpty {
            chunks.append(String(decoding: rest.prefix(Self.chunk), as: UTF8.self))
            rest = rest.dropFirst(Self.chunk)
        }
        if chunks.last.map({ $0.utf8.count == Self.chunk }) ?? true { chunks.append("+") }
        return chunks
    }

    private func send(_ words: [String]) -> Step {
        .send(words.compactMap { try? OutgoingLine("AUTHENTICATE", [$0]) })
    }
}
