/// Takes an adapter's word for how its connection does, for those who wait for no delivery.
public protocol ConnectionMonitor: Sendable {
    /// Says what is so from now on; said again, it changes nothing.
    func report(_ state: ConnectionState)
}

/// How the connection that an adapter holds does.
public enum ConnectionState: Hashable, Sendable {
    case up
    /// The reason is shown to people and holds no secret.
    case down(reason: String)
}
