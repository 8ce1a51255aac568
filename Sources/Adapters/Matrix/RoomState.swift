import AdapterKit

/// What is known of a room. Rooms are named by ids that nothing is read from: since version 12 they name no server.
struct RoomState: Hashable, Sendable {
    /// Who made the room, and whom they made its creators with them.
    private(set) var creators: Set<String> = []
    /// Creators may do everything and are not among the power levels ("Room version 12").
    private(set) var hasMightyCreators = false
    private(set) var isEncrypted = false
    /// The room that took this one's place (`m.room.tombstone`).
    private(set) var successor: String?
    private var powerLevels: JSON?
    private var names: [String: String] = [:]

    private static let maximumNames = 5000

    /// Takes a state event.
    mutating func apply(_ event: RoomEvent) {
        guard let key = event.stateKey else { return }
        switch (event.type, key) {
        case ("m.room.create", ""):
            creators = RoomState.creators(of: event)
            hasMightyCreators = (event.content["room_version"]?.string).flatMap { Int($0) }.map { $0 >= 12 } ?? false
        case ("m.room.power_levels", ""):
            powerLevels = event.content
        case ("m.room.encryption", ""):
            // Nothing turns it off again.
            isEncrypted = true
        case ("m.room.tombstone", ""):
            successor = event.content["replacement_room"]?.string
        case ("m.room.member", let user):
            setName(of: user, event.content["displayname"]?.string)
        default:
            break
        }
    }

    /// What somebody is called here; their id where they have no name.
    func name(of user: String) -> String {
        names[user] ?? user
    }

    /// The power level of a user ("m.room.power_levels"). `Int.max` is that of a creator with power over everything.
    func power(of user: String) -> Int {
        if hasMightyCreators, creators.contains(user) { return Int.max }
        guard let powerLevels else { return creators.contains(user) ? 100 : 0 }
        return Self.level(powerLevels["users"]?[user]) ?? Self.level(powerLevels["users_default"]) ?? 0
    }

    /// - Parameter event: `m.room.create`. Up to version 10 the creator stands in it too, and is its sender.
    static func creators(of event: RoomEvent) -> Set<String> {
        let more = (event.content["additional_creators"]?.elements ?? []).compactMap(\.string)
        // Ids that differ and look alike count as equal below: leave out what is not plain.
        return Set(([event.sender] + more).filter { $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } })
    }

    /// Rooms before version 10 may have levels in quotes.
    private static func level(_ value: JSON?) -> Int? {
        value?.integer ?? value?.string.flatMap { Int($0) }
    }

    private mutating func setName(of user: String, _ name: String?) {
        let name = name?.printableLine.clipped(to: 100) ?? ""
        if name.isEmpty {
            names[user] = nil
        } else if names[user] != nil || names.count < Self.maximumNames {
            names[user] = name
        }
    }
}
