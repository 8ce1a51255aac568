import Glibc
import Rules

/// Looks at a state directory without touching it.
struct StateInspection {
    private let directory: StateDirectory
    private let store: StoreSettings

    init(_ directory: StateDirectory, store: StoreSettings) {
        self.directory = directory
        self.store = store
    }

    private static let area = "state"
    /// Less is soon used up.
    private static let littleSpace: UInt64 = 200_000_000

    var findings: [Finding] {
        var status = stat()
        guard stat(directory.path, &status) == 0 else { return missing(SystemError.current) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return [problem("\(directory.path) is no directory", "Remove it, or name another with --state")]
        }
        return access(status) + [mode(status), database(), space(at: directory.path), holder()].compactMap(\.self)
    }

    /// A directory that the bot has yet to make: can it?
    private func missing(_ error: SystemError) -> [Finding] {
        let text = "\(directory.path) is not there yet; the bot makes it at its first start, and all rules are new then"
        let note = Finding(Self.area, .note, text)
        switch NearestAncestor(of: directory.path) {
        case .directory(let path, let status):
            guard let obstacle = obstacle(in: path, status) else { return [note, space(at: path)].compactMap(\.self) }
            return [obstacle]
        case .other(let path):
            let text = "\(directory.path) cannot be made: \(path) is no directory"
            return [problem(text, "Remove that, or name another with --state")]
        case .link(let path):
            let text = "\(directory.path) cannot be made: \(path) is a link to something that is not there"
            return [problem(text, "Make what it links to, or name another with --state")]
        case .hidden(let path, let error):
            return [problem("\(directory.path) cannot be looked at: \(path): \(error)", Self.owner)]
        }
    }

    /// Why nothing can be made in a directory that is there.
    private func obstacle(in path: String, _ status: stat) -> Finding? {
        if Self.isOfKernel(status) {
            let text = "\(directory.path) cannot be made: \(path) shows the kernel, and is no place to keep anything in"
            return problem(text, "Name a directory on a disk with --state")
        }
        if faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) != 0 {
            let error = SystemError.current
            let text = "\(directory.path) cannot be made: nothing can be written in \(path): \(error)"
            if error.code == EROFS {
                return problem(text, "Name a directory on a disk that can be written, with --state")
            }
            return problem(text + owner(status), Self.owner)
        }
        return nil
    }

    /// On the file system of one of these nothing can be made, whatever its rights say.
    private static func isOfKernel(_ status: stat) -> Bool {
        func device(_ path: String) -> dev_t? {
            var status = stat()
            return stat(path, &status) == 0 ? status.st_dev : nil
        }
        return device("/") != status.st_dev
            && ["/proc", "/sys", "/sys/fs/cgroup"].contains { device($0) == status.st_dev }
    }

    private static let owner = "Run doctor as the user that the bot runs as, or change the owner"

    private func problem(_ text: String, _ advice: String) -> Finding {
        Finding(Self.area, .problem, text, advice: advice)
    }

    private func access(_ status: stat) -> [Finding] {
        if faccessat(AT_FDCWD, directory.path, R_OK | W_OK | X_OK, AT_EACCESS) == 0 {
            return [Finding(Self.area, .ok, "\(directory.path) can be written")]
        }
        let reason = SystemError.current
        return [problem("\(directory.path) cannot be written: \(reason)\(owner(status))", Self.owner)]
    }

    private func owner(_ status: stat) -> String {
        status.st_uid == geteuid() ? "" : " (it belongs to user \(status.st_uid), this is user \(geteuid()))"
    }

    private func mode(_ status: stat) -> Finding? {
        guard status.st_mode & 0o077 != 0 else { return nil }
        return Finding(
            Self.area, .warning, "others on this machine may look into \(directory.path)",
            advice: "chmod 700 \(directory.path)")
    }

    private func database() -> Finding? {
        var status = stat()
        guard stat(directory.databasePath, &status) == 0 else { return nil }
        if faccessat(AT_FDCWD, directory.databasePath, R_OK | W_OK, AT_EACCESS) != 0 {
            return problem("\(directory.databasePath) cannot be written: \(SystemError.current)", Self.owner)
        }
        return Finding(Self.area, .ok, "the database has \(Self.size(UInt64(clamping: status.st_size)))")
    }

    private func space(at path: String) -> Finding? {
        var system = statvfs()
        guard statvfs(path, &system) == 0 else { return nil }
        let (free, isHuge) = UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize))
        if isHuge { return nil }
        if free < Self.littleSpace {
            return problem(
                "only \(Self.size(free)) are free on its disk", "Free some space: without it nothing can be decided")
        }
        let wanted = UInt64(clamping: store.maximumSize)
        return Finding(
            Self.area, free < wanted ? .note : .ok,
            "\(Self.size(free)) are free on its disk\(free < wanted ? ", less than store.max_size allows it to take" : "")"
        )
    }

    private func holder() -> Finding? {
        switch StoreLock.holder(of: directory) {
        case .process(let name): Finding(Self.area, .ok, "a bot runs on it: \(name)")
        case .nobody: Finding(Self.area, .note, "no bot runs on it")
        case .unknown: nil
        }
    }

    private static func size(_ bytes: UInt64) -> String {
        if bytes >= 10_000_000_000 { return "\(bytes / 1_000_000_000) GB" }
        return bytes >= 1_000_000 ? "\(bytes / 1_000_000) MB" : "\(bytes / 1_000) kB"
    }
}
