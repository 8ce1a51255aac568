import Glibc

/// An `errno` with the system's words for it.
struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    let code: Int32

    /// The error of the system call made last on this thread.
    static var current: SystemError { SystemError(code: errno) }

    var description: String { String(cString: strerror(code)) }
}
