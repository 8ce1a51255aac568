import CEL
import Rules

/// Finds out whether a trigger was fired by a call whose answer was lost.
extension WriteExecutor {
    /// Looks among the newest sessions of the trigger for one that was not there before the call. Where the trigger's prompt
    /// has room for what was handed over, it has to be in the prompt of the session: others fire triggers too.
    func settleInvoke(
        _ attempt: Attempt, of trigger: Int64, _ variables: [WireMember]
    ) async throws(ZimmerError) -> Attempt.Outcome {
        let root = try await client.trigger(trigger).document().root
        let words = variables.words(in: root["trigger"]?["prompt_template"]?.string ?? "")
        for row in root.list("recent_sessions").prefix(Self.recentSessions) where attempt.isNoOlder(row) {
            guard let id = row["id"]?.int, attempt.request.newestBefore.map({ id > $0 }) ?? true,
                let session = try await reader.session(id, timeout: Self.timeout)
            else { continue }
            let reading = await ledger.reading(of: session)
            guard reading.began(with: words) else { continue }
            return .done("the trigger started session \(id) since", result: Snapshot(reading.object))
        }
        let sought = words.isEmpty ? "no session" : "no session with our words"
        return attempt.notFound("the trigger started \(sought) since", after: await ledger.age(of: attempt))
    }

    /// As many as Zimmer lists.
    private static let recentSessions = 10
}

extension [WireMember] {
    /// The texts that a template puts into the prompt, as `{{ name }}`.
    fileprivate func words(in template: String) -> [String] {
        compactMap { member in
            guard case .text(let text) = member.value else { return nil }
            let names = template.split(separator: "{{").dropFirst()
            let isUsed = names.contains {
                $0.prefix { $0 != "}" }.split(whereSeparator: \.isWhitespace) == [member.name[...]]
            }
            return isUsed ? text.singleSpaced : nil
        }
    }
}

extension SessionReading {
    /// Whether all these texts are in its prompt, or in its first where it was told more since.
    fileprivate func began(with words: [String]) -> Bool {
        var prompts = [text("prompt")]
        if case .map(let metadata) = object["metadata"],
            case .string(let original)? = metadata[key: .string("original_prompt")]
        {
            prompts.append(original)
        }
        return prompts.contains { prompt in
            let prompt = (prompt ?? "").singleSpaced
            return words.allSatisfy { prompt.utf8.contains($0.utf8) }
        }
    }
}

extension String {
    /// White space may be another on its way through a template.
    fileprivate var singleSpaced: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
