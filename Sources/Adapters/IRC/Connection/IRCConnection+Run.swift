import AdapterKit
import Synchronization

extension IRCConnection {
    private static let writeTimeout = Duration.seconds(30)
    private static let quitTimeout = Duration.seconds(5)
    private static let readSize = 16_384

    /// Connects again and again, until cancelled.
    func work() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.heard.run() }
            await reconnect()
            group.cancelAll()
        }
    }

    private func reconnect() async {
        var reconnection = Reconnection()
        while !Task.isCancelled {
            let ending = await connectOnce()
            let lasted = state.withLock { state in
                let now = state.time.advance(to: clock.now)
                return state.session?.welcomedAt.map { now - $0 }
            }
            let delay = reconnection.delay(after: ending.cause, lasted: lasted, jitter: random())
            let isOver = Task.isCancelled
            end(ending, isOver: isOver, delay: delay)
            if isOver { return }
            try? await clock.sleep(for: delay)
        }
    }

    /// Puts the session away and tells everybody.
    private func end(_ ending: Ending, isOver: Bool, delay: Duration) {
        let reason = shown(isOver ? "the bot is leaving \(settings.address)" : "\(settings.address): \(ending.reason)")
        if !isOver {
            log.write(
                .warning, "an IRC connection ended",
                [("server", settings.address), ("reason", reason), ("seconds", "\(delay.components.seconds)")])
        }
        let answered = state.withLock { state -> [Answered] in
            let answered = Self.endAll(&state, reason: reason, retryAfter: isOver ? nil : delay)
            if let session = state.session { (state.nick, state.channels) = (session.nick, session.channels) }
            state.session = nil
            state.outage = isOver ? nil : (reason, state.time.advance(to: clock.now) + delay)
            return answered
        }
        // Our own leaving is no news. Said first, so that whoever gets an answer knows that there is no connection.
        if !isOver { publish(down: reason) }
        Self.tell(answered)
    }

    // MARK: - One connection

    private func connectOnce() async -> Ending {
        // From here on deliveries wait for what comes of it.
        state.withLock { $0.outage = nil }
        let stream: any ByteStream
        do {
            stream = try await byteStreams.connect(to: settings.endpoint)
        } catch {
            return Self.ending(error)
        }
        let ending: Ending
        do throws(Ending) {
            try open()
            ending = await talk(over: stream)
        } catch {
            ending = error
        }
        await leave(stream)
        return ending
    }

    private func open() throws(Ending) {
        let result = state.withLock { state -> Result<Void, Ending> in
            let now = state.time.advance(to: clock.now)
            do throws(Ending) {
                state.session = try Session(
                    settings, nick: state.nick, channels: state.channels,
                    rate: state.rate ?? OutgoingQueue.defaultRate, now: now)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Reads and writes until one of them comes to an end.
    private func talk(over stream: any ByteStream) async -> Ending {
        await withTaskGroup(of: Ending.self) { group in
            group.addTask { await self.read(from: stream) }
            group.addTask { await self.write(to: stream) }
            let ending = await group.next() ?? Ending(.lost, "nothing was done")
            group.cancelAll()
            return ending
        }
    }

    /// Says goodbye, even when cancelled; a peer that is gone does not hear it.
    private func leave(_ stream: any ByteStream) async {
        let goodbye = try? OutgoingLine("QUIT", text: "Goodbye")
        await Task {
            if let goodbye { try? await stream.write(goodbye.bytes, timeout: Self.quitTimeout) }
            await stream.close()
        }.value
    }

    private func read(from stream: any ByteStream) async -> Ending {
        var splitter = LineSplitter()
        do {
            while true {
                let bytes = try await stream.read(atMost: Self.readSize)
                if bytes.isEmpty { return Ending(.lost, "the server closed the connection") }
                for line in splitter.add(bytes) {
                    if let line = IncomingLine(line) { try receive(line) }
                }
                bell.ring()
            }
        } catch {
            return Self.ending(error)
        }
    }

    private func receive(_ line: IncomingLine) throws(Ending) {
        let result = state.withLock { state -> Result<Void, Ending> in
            let now = state.time.advance(to: clock.now)
            do throws(Ending) {
                try state.session?.receive(line, now: now, random: random())
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private func write(to stream: any ByteStream) async -> Ending {
        do {
            while true {
                let (line, pause) = try step()
                publish()
                if let line {
                    try await stream.write(line.bytes, timeout: Self.writeTimeout)
                } else {
                    await bell.wait(atMost: pause, clock)
                    try Task.checkCancellation()
                }
            }
        } catch {
            return Self.ending(error)
        }
    }

    /// The next line to write, or how long there is none.
    private func step() throws(Ending) -> (line: OutgoingLine?, pause: Duration) {
        typealias Step = (answered: [Answered], line: OutgoingLine?, pause: Duration)
        let result = state.withLock { state -> Result<Step, Ending> in
            let now = state.time.advance(to: clock.now)
            do throws(Ending) {
                try state.session?.timePassed(now: now)
            } catch {
                return .failure(error)
            }
            let answered = beginPending(&state, now: now)
            let line = state.session?.nextLine(now: now)
            return .success((answered, line, (state.session?.wakeAt(now: now) ?? now) - now))
        }
        let step = try result.get()
        Self.tell(step.answered)
        return (step.line, step.pause)
    }

    // MARK: - Telling others

    /// Hands out what the session has to say. Called by one task at a time, so that it stays in order.
    private func publish(down reason: String? = nil) {
        let (answered, reports, messages) = state.withLock { state in
            var answered: [Answered] = []
            var messages: [HeardMessage] = []
            for event in state.session?.events ?? [] {
                switch event {
                case .finished(let delivery): finish(delivery, &state).map { answered.append($0) }
                case .heard(let message): messages.append(message)
                }
            }
            state.session?.events = []
            return (answered, newReports(&state, down: reason), heardBy(state.slots, messages))
        }
        for (monitor, report) in reports { monitor.report(report) }
        Self.tell(answered)
        for (listener, event) in messages { heard.add(event, for: listener) }
    }

    private func newReports(
        _ state: inout State, down reason: String?
    ) -> [(monitor: any ConnectionMonitor, report: ConnectionState)] {
        var reports: [(monitor: any ConnectionMonitor, report: ConnectionState)] = []
        for (index, slot) in state.slots.enumerated() {
            let channel = state.session?.channels[slot.membership]
            let report: ConnectionState? =
                if let reason { .down(reason: reason) } else if channel?.isJoined == true {
                    .up
                } else { channel?.problem.map { .down(reason: shown($0)) } }
            guard let report, report != slot.reported else { continue }
            state.slots[index].reported = report
            reports.append((slot.monitor, report))
        }
        return reports
    }

    private func heardBy(
        _ slots: [ChannelSlot], _ messages: [HeardMessage]
    ) -> [(listener: any ChatListener, event: ChatEvent)] {
        let now = clock.now
        return messages.flatMap { message in
            slots.filter { $0.membership == message.channel }.compactMap { slot in
                slot.listener.map { ($0, heard.event(message, channel: slot.name, now: now)) }
            }
        }
    }

    private static func ending(_ error: any Error) -> Ending {
        switch error {
        case let ending as Ending: ending
        case let failure as ByteStreamFailure where failure.code == .untrusted:
            Ending(.lost, "its certificate is not trusted: check 'server' and 'ca_file' (\(failure.detail))")
        case let failure as ByteStreamFailure: Ending(.lost, failure.detail)
        default: Ending(.lost, "the connection failed")
        }
    }
}
