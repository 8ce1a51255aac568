import Rules

extension Doctor {
    /// What Zimmer says of itself, without a credential.
    func liveness(of client: ZimmerClient, at url: String) async -> (Finding, isReached: Bool) {
        do throws(ZimmerError) {
            let answer = try await client.up(deep: true, timeout: Self.timeout)
            return (liveness(answer, at: url), true)
        } catch {
            switch error.trouble {
            case .failing:
                return (failing(url, error.message), true)
            case nil, .elsewhere, .signIn:
                // An older Zimmer has no such page, and a gate may keep it back.
                let text = "\(url) has no page /up/deep, so nothing is known of its database"
                return (Finding(Self.area, .note, text), true)
            case let trouble?:
                let sentence = ZimmerAdvice(file.zimmer).sentence(for: trouble, error.description)
                let advice = trouble == .unreachable ? Self.reachAdvice : nil
                return (Finding(Self.area, .problem, sentence, advice: advice), false)
            }
        }
    }

    private static let area = "zimmer"
    private static let reachAdvice = "Look at zimmer.url, at name resolution and at the network from this machine"

    /// A success alone says little: a proxy has one for everything.
    private func liveness(_ answer: ZimmerAnswer, at url: String) -> Finding {
        let document = try? JSONDocument(answer.body)
        guard let root = document?.root, root.kind == .object, let status = root["status"]?.string,
            root["checks"]?.kind == .object
        else {
            return Finding(
                Self.area, .problem, "\(url)/up/deep is not answered by Zimmer: \(Self.kind(of: answer.body)) came",
                advice: "Put the address at which Zimmer itself answers into zimmer.url")
        }
        guard status == "ok" else { return failing(url, "its state is '\(status.prefix(100))'") }
        return Finding(Self.area, .ok, "\(url) answers, and so do its database, cache and Redis")
    }

    private func failing(_ url: String, _ reason: String) -> Finding {
        Finding(
            Self.area, .problem, "\(url) answers that it cannot work: \(reason)",
            advice: "See what Zimmer's /up/deep says has failed")
    }

    /// What came, in words that hold nothing of it: it may repeat a credential.
    private static func kind(of body: [UInt8]) -> String {
        let size = "of \(body.count) bytes"
        return switch body.first(where: { $0 > 0x20 }) {
        case nil: "an empty answer"
        case UInt8(ascii: "<"): "a web page \(size)"
        case UInt8(ascii: "{"), UInt8(ascii: "["): "JSON \(size) that is not Zimmer's"
        default: "a text \(size)"
        }
    }
}
