import CEL

extension ListingReader {
    /// The questions that are open, session by session. Where Zimmer does not list them to this credential, or is too old
    /// to have the route, they are made up from the session and the inbox.
    func questions(of sessions: [Int64], _ reading: Reading) async -> Listing {
        var listing = Listing(.elicitation, readAt: reading.now)
        var unlisted: [Int64] = []
        do throws(ZimmerError) {
            for session in sessions {
                if let rows = try await questions(of: session, reading, &listing) {
                    listing.add(rows)
                } else {
                    unlisted.append(session)
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
            answer = try await client.elicitations(of: session, timeout: try reading.timeLeft())
        } catch {
            switch error.code {
            // Only Zimmer's own 404 is about the session, which then asks nothing any more.
            case .notFound: return error.label.isEmpty ? nil : []
            case .signIn, .forbidden, .refused: return nil
            default: throw error
            }
        }
        if listing.serverDate == nil { listing.serverDate = answer.serverDate }
        guard let list = try answer.document().root["elicitations"], list.kind == .array else {
            throw ZimmerError(
                .badBody, status: answer.status, message: "Zimmer's answer has no elicitations",
                requestID: answer.requestID)
        }
        return list.elements.filter(Self.isOpen).map { decoder.question($0, of: session) { reading.known[$0] } }
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
