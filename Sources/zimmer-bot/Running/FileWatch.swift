import Glibc

/// Tells when a file, or several, looked at now and then, have changed, and are whole again. A stamp is what changes when
/// they do; nil when what is watched is not there.
struct FileWatch<Stamp: Hashable> {
    enum Finding: Hashable {
        case nothing
        /// It is another one than was read, and was the same at the last two looks: nobody is in the middle of writing it.
        case changed
        /// It has been missing for two looks, which is longer than replacing it takes. Said once.
        case gone
    }

    private var read: Stamp?
    private var last: Stamp?

    init(_ stamp: Stamp?) {
        (read, last) = (stamp, stamp)
    }

    /// The file was read when it looked like this.
    mutating func note(_ stamp: Stamp?) {
        self = Self(stamp)
    }

    mutating func look(_ stamp: Stamp?) -> Finding {
        defer { last = stamp }
        guard stamp == last, stamp != read else { return .nothing }
        read = stamp
        return stamp == nil ? .gone : .changed
    }
}

/// What changes when a file does: its contents, another one in its place, or who may read it.
struct FileStamp: Hashable {
    var device: UInt64
    var number: UInt64
    var size: Int64
    /// When its contents or its mode were changed, as the system has it: compared and nothing else.
    var changed: [UInt8]
}

extension FileStamp {
    /// Of what a path leads to, over symbolic links; nil where that is no regular file. A pipe cannot be read again.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
        size = Int64(status.st_size)
        changed = withUnsafeBytes(of: status.st_ctim) { Array($0) }
    }
}
