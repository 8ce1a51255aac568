// Start here: `MatrixKind` is what may be configured, `EventComposer` what is sent, `RoomReader` what is heard, and
// `MatrixAccount` who does it.

import AdapterKit
import Synchronization

/// Sends each message as one or a few events to a room.
struct MatrixAdapter: Adapter {
    let account: String
    let connection: MatrixConnection
    let channel: MatrixChannel
    let composer: EventComposer
    let log: any AdapterLog

    var recognizesRepeats: Bool { true }
    var takesPictures: Bool { true }

    func run() async {
        await connection.run()
    }

    func deliver(_ delivery: Delivery) async -> DeliveryOutcome {
        do throws(MatrixError) {
            let room = try await connection.account.enter(channel)
            if let original = delivery.replaces?.ids.first {
                if let receipt = try await edit(original, delivery, in: room) { return .delivered(receipt) }
            }
            return .delivered(try await send(delivery, to: room))
        } catch {
            return error.outcome
        }
    }

    func render(_ delivery: Delivery) -> [RenderedPart] {
        let requests = events(of: delivery).map { MatrixRequest.send($0, to: channel.room) }
        let upload = delivery.picture.map { MatrixRequest.upload($0) }
        return ((delivery.replaces == nil ? upload.map { [$0] } ?? [] : []) + requests).map { request in
            let bytes = request.http(homeserver: "", token: nil).body
            return RenderedPart(label: "\(request.method) \(request.target)", bytes: bytes)
        }
    }

    /// As they are where nothing goes wrong.
    private func events(of delivery: Delivery) -> [OutgoingEvent] {
        if let original = delivery.replaces?.ids.first {
            return [composer.event(composer.edit(of: delivery), replacing: original)]
        }
        let texts = composer.parts(of: delivery, showsPicture: delivery.picture != nil)
        let picture = delivery.picture.map { EventComposer.event($0, at: "mxc://…", for: delivery) }
        return texts.map { composer.event($0, in: delivery.thread) } + (picture.map { [$0] } ?? [])
    }

    // MARK: - Steps

    private func send(_ delivery: Delivery, to room: String) async throws(MatrixError) -> Receipt {
        let address = try await upload(delivery)
        var ids: [String] = []
        for part in composer.parts(of: delivery, showsPicture: address != nil) {
            let id = try await send(part, of: delivery, to: room) { composer.event($0, in: delivery.thread) }
            if let id { ids.append(id) }
        }
        if let address, let picture = delivery.picture {
            let event = EventComposer.event(picture, at: address, for: delivery)
            do throws(MatrixError) {
                if let id = try await connection.account.send(event, to: room) { ids.append(id) }
            } catch let error where error.isFinal {
                noteMissingPicture(error)
            }
        }
        return Receipt(ids: ids)
    }

    /// Sends a part; the beginning of it where all of it is too much.
    private func send(
        _ part: EventComposer.Part, of delivery: Delivery, to room: String,
        as event: (EventComposer.Part) -> OutgoingEvent
    ) async throws(MatrixError) -> String? {
        do throws(MatrixError) {
            return try await connection.account.send(event(part), to: room)
        } catch let error where error.kind == .smaller {
            let smaller = composer.smaller(part, url: delivery.message.subject?.url)
            return try await connection.account.send(event(smaller), to: room)
        }
    }

    /// Puts the message in the place of an earlier one. The receipt names the earlier one, so that a further edit replaces
    /// that again.
    ///
    /// - Returns: Nil where the earlier one is gone: a homeserver takes an edit of it and shows it to nobody.
    private func edit(
        _ original: String, _ delivery: Delivery, in room: String
    ) async throws(MatrixError) -> Receipt? {
        do throws(MatrixError) {
            let earlier = try await connection.account.call(.event(original, in: room))
            guard let event = RoomEvent(earlier), !event.isRedacted, event.content["body"] != nil else { return nil }
            _ = try await send(composer.edit(of: delivery), of: delivery, to: room) {
                composer.event($0, replacing: original)
            }
            return Receipt(id: original)
        } catch let error where [.notFound, .refused, .smaller].contains(error.kind) {
            return nil
        }
    }

    /// Where the picture was put; nil where there is none, or it cannot be had there.
    private func upload(_ delivery: Delivery) async throws(MatrixError) -> String? {
        guard let picture = delivery.picture else { return nil }
        if let address = connection.uploaded(delivery.id) { return address }
        do throws(MatrixError) {
            let answer = try await connection.account.call(.upload(picture))
            guard let address = answer["content_uri"]?.string, address.hasPrefix("mxc://") else { return nil }
            connection.remember(delivery.id, address)
            return address
        } catch let error where error.isFinal && error.kind != .accountRefused || delivery.attempt >= 3 {
            // The words matter more than the picture.
            noteMissingPicture(error)
            return nil
        }
    }

    private func noteMissingPicture(_ error: MatrixError) {
        log.write(.warning, "a picture was not sent", [("channel", channel.name), ("reason", error.reason)])
    }
}

/// What the channels of an account share.
final class MatrixConnection: Sendable {
    let account: MatrixAccount
    private let shared: SharedRun
    /// The last upload: a message that has to wait does not upload its picture again.
    private let upload = Mutex<(delivery: DeliveryID, address: String)?>(nil)

    init(_ account: MatrixAccount) {
        self.account = account
        shared = SharedRun { await account.run() }
    }

    func run() async {
        await shared.run()
    }

    func uploaded(_ delivery: DeliveryID) -> String? {
        upload.withLock { $0.flatMap { $0.delivery == delivery ? $0.address : nil } }
    }

    func remember(_ delivery: DeliveryID, _ address: String) {
        upload.withLock { $0 = (delivery, address) }
    }
}
