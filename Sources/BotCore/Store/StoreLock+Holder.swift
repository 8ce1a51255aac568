import Foundation
import Glibc

extension StoreLock {
    /// Who has the right to write to a state directory, seen without taking it: somebody who starts meanwhile must get it.
    package enum Holder: Hashable, Sendable {
        /// `process 7 on HOST`
        case process(String)
        case nobody
        /// The system does not tell.
        case unknown
    }

    package static func holder(of directory: StateDirectory) -> Holder {
        var status = stat()
        guard stat(directory.lockPath, &status) == 0 else { return errno == ENOENT ? .nobody : .unknown }
        guard let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return .unknown }
        // `1: FLOCK  ADVISORY  WRITE 4711 08:01:123456 0 EOF`. Device numbers differ on some file systems, inodes do not.
        let isHeld = locks.split(separator: "\n").contains { line in
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "FLOCK", let inode = words[5].split(separator: ":").last else {
                return false
            }
            return UInt64(inode) == UInt64(status.st_ino)
        }
        guard isHeld else { return .nobody }
        let text = try? String(contentsOfFile: directory.lockPath, encoding: .utf8)
        let line = (text ?? "").utf8.prefix(256).prefix { (0x20...0x7E).contains($0) }
        return .process(line.isEmpty ? "another process" : String(decoding: line, as: UTF8.self))
    }
}
