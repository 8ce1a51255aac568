import CEL

extension ListingReader {
    /// The questions that are open, session by session. Where Zimmer does not list them to this credential, or is too old
    /// to have the route, they are made up from the session and the inbox.
    ///
    /// - Parameter areListed: false where it is known that Zimmer does not.
    func questions(of sessions: [Int64], areListed: Bool, _ reading: Reading) async -> Listing {
        var listing = Listing(.elicitation, readAt: reading.now)
        let asking = Set(sessions)
        openQuestions.keep(asking.contains)
        // Without a question nothing is learnt.
        listing.wasAsked = areListed && !sessions.isEmpty
        var unlisted = areListed ? [] : sessions
        let budget = PageBudget(maximumKept: Self.maximumKept)
        do throws(ZimmerError) {
            for session in areListed ? sessions : [] {
                if let rows = try await questions(of: session, reading, &listing) {
                    try budget.keep(bytes: rows.weight)
                    listing.add(rows)
                } else {
                    unlisted.append(session)
                    listing.lacks = .elicitations
                }
            }
            if !unlisted.isEmpty {
                let bells = try await bells(reading)
                listing.add(unlisted.map { decoder.question(of: $0, notification: bells[$0]) })
            }
            listing.isWhole = true
            listing.sayWhatWasSkipped()
        } catch {
            listing.fail(error)
        }
        return listing
    }

    /// Those of one session; nil where Zimmer does not list them.
    private func questions(
        of session: Int64, _ reading: Reading, _ listing: inout Listing
    ) async throws(ZimmerError) -> [Listing.Row?]? {
        let answer: ZimmerAnswer
        do throws(ZimmerError) {
            let etag = openQuestions.etag(for: session)
            answer = try await client.elicitations(of: session, etag: etag, timeout: try reading.timeLeft())
        } catch {
            switch error.code {
            // Of a session that is there it is about the path; of one that is gone there is nothing to ask.
            case .notFound: return error.label.isEmpty ? nil : try await exists(session, reading) ? nil : []
            case .signIn, .forbidden, .refused: return nil
            default: throw error
            }
        }
        listing.serverDate = answer.serverDate ?? listing.serverDate
        return try openQuestions.value(of: answer, to: session) { answer throws(ZimmerError) in
            guard let list = try answer.document().root["elicitations"], list.kind == .array else {
                throw ZimmerError(
                    .badBody, status: answer.status, message: "Zimmer's answer has no elicitations",
                    requestID: answer.requestID)
            }
            return list.elements.filter(Self.isOpen).map { decoder.question($0, of: session) { reading.known[$0] } }
        }
    }

    private func exists(_ session: Int64, _ reading: Reading) async throws(ZimmerError) -> Bool {
        do throws(ZimmerError) {
            _ = try await client.session(session, timeout: try reading.timeLeft())
            return true
        } catch {
            if error.code == .notFound { return false }
            throw error
        }
    }

    static func isOpen(_ question: JSONValue) -> Bool {
        question.present("status")?.string.map { $0 == "pending" } ?? (question.present("responded_at") == nil)
    }

    /// The newest notification of a question, by session: what tells one question of a session from the next.
    private func bells(_ reading: Reading) async throws(ZimmerError) -> [Int64: Int64] {
        var inbox = reading
        inbox.kind = .notification
        inbox.known = [:]
        let listing = await pages(inbox)
        if let error = listing.error { throw error }
        var bells: [Int64: Int64] = [:]
        for row in listing.rows {
            guard case .string("elicitation_pending") = row.object["notification_type"],
                case .int(let session) = row.object["session_id"], case .int(let id) = row.object["id"]
            else { continue }
            bells[session] = max(bells[session] ?? id, id)
        }
        return bells
    }
}
