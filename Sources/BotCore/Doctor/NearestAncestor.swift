import Glibc

/// What stands where a directory is to be made: the lowest part of its path that is there.
enum NearestAncestor {
    case directory(String, stat)
    /// A file, or whatever else no directory can be made in.
    case other(String)
    /// A symbolic link that leads nowhere: `mkdir` does not make what it names.
    case link(String)
    /// It cannot be seen what it is.
    case hidden(String, SystemError)

    /// - Parameter path: of something that is not there.
    init(of path: String) {
        var path = path
        while true {
            var status = stat()
            if stat(path, &status) == 0 {
                self = status.st_mode & S_IFMT == S_IFDIR ? .directory(path, status) : .other(path)
                return
            }
            let error = SystemError.current
            guard error.code == ENOENT || error.code == ENOTDIR else {
                self = .hidden(path, error)
                return
            }
            if lstat(path, &status) == 0 {
                self = .link(path)
                return
            }
            path = Self.parent(of: path)
        }
    }

    /// Ends at `/` or `.`, which are always there.
    private static func parent(of path: String) -> String {
        let name = path.reversed().drop { $0 == "/" }
        let parent = name.drop { $0 != "/" }.drop { $0 == "/" }
        if parent.isEmpty { return path.hasPrefix("/") ? "/" : "." }
        return String(parent.reversed())
    }
}
