import AdapterKit

extension Session {
    /// How many bytes the text of one line may have in a channel, so that it arrives whole: the server puts our name before
    /// it when it passes it on.
    func textLimit(command: String, target: String) -> Int {
        Self.textLimit(
            command: command, target: target, nick: nick.current, user: user, host: host, line: support.lineLength)
    }

    /// - Parameters:
    ///   - user: Nil: unknown, the longest is assumed; likewise `host`.
    static func textLimit(
        command: String, target: String, nick: String, user: String?, host: String?,
        line: Int = ServerSupport.lineLength
    ) -> Int {
        let name = nick.utf8.count + (user?.utf8.count ?? 10) + (host?.utf8.count ?? 63) + ":!@ ".utf8.count
        let rest = command.utf8.count + target.utf8.count + "  :\r\n".utf8.count
        // A server with absurd names gets lines that it will cut.
        return max(64, line - name - rest)
    }

    var confirmation: LineDelivery.Confirmation {
        let capabilities = registration.capabilities
        return capabilities.confirmsByLabel ? .label : capabilities.has("echo-message") ? .echo : .ping
    }

    /// Begins to send; an `Event.finished` will come.
    mutating func begin(_ delivery: LineDelivery) {
        deliveries.append(delivery)
        settle()
    }

    /// Nobody waits for it any more: what is not out yet stays here.
    ///
    /// - Returns: The delivery as far as it came.
    mutating func takeBack(delivery id: Int) -> LineDelivery? {
        queue.takeBack(delivery: id)
        return deliveries.firstIndex { $0.id == id }.map { deliveries.remove(at: $0) }
    }

    /// Puts lines that may go into the queue, and hands over what is over.
    mutating func settle() {
        for index in deliveries.indices {
            let channel = deliveries[index].channel
            if deliveries[index].confirmedPlain { channels[channel].formats = .refused }
            if deliveries[index].confirmedFormatted { channels[channel].formats = .passed }
            let lines = deliveries[index].next(
                takesFormats: channels[channel].formats == .passed, limit: support.lineLength)
            for (line, owner) in lines { queue.add(line, for: owner) }
            if deliveries[index].isFailing { queue.takeBack(delivery: deliveries[index].id) }
        }
        for delivery in deliveries where delivery.result != nil {
            queue.takeBack(delivery: delivery.id)
            events.append(.finished(delivery))
        }
        deliveries.removeAll { $0.result != nil }
    }

    // MARK: - Answers

    /// An answer to one of our labels. True where the line was nothing else.
    mutating func receiveLabelled(_ line: IncomingLine) -> Bool {
        if line.command == "BATCH" {
            if let (label, refusal) = batches.receive(line) { answered(label, refusal) }
            return false
        }
        if let reference = line.tags["batch"], batches.add(line, to: reference) { return true }
        guard let label = line.tags["label"] else { return false }
        return answered(label, line.isRefusal ? line : nil)
    }

    @discardableResult
    private mutating func answered(_ label: String, _ refusal: IncomingLine?) -> Bool {
        for index in deliveries.indices where deliveries[index].answered(label: label, refusal: refusal) {
            return true
        }
        return false
    }

    mutating func receivePong(_ line: IncomingLine) {
        for index in deliveries.indices where deliveries[index].ponged(line.trailing) { return }
    }

    /// A refusal that may be about something we said.
    mutating func receiveRefusal(_ line: IncomingLine) {
        let isAboutText = line.numeric == 411 || line.numeric == 412 || line.command == "FAIL"
        let found = deliveries.indices.first { index in
            deliveries[index].isUncertain
                && (isAboutText || areEqual(deliveries[index].target, line.parameter(1)))
        }
        if let found { deliveries[found].refused(line) }
    }
}

extension IncomingLine {
    /// An error's number, or the standard reply.
    var isRefusal: Bool { numeric.map { (400..<600).contains($0) } ?? (command == "FAIL") }
}
