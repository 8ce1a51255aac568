import Foundation
import Glibc
import Testing

@testable import BotCore

/// The code of the `DatabaseError` that `body` throws, nil if it throws none.
func code<Result>(_ body: () throws -> Result) -> DatabaseError.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? DatabaseError)?.code
    }
}

/// The permission bits of a file, nil if there is none.
func mode(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
}

/// Runs `body` while nobody may write to `path`, the superuser (as whom tests run in containers) included.
func withoutWritePermission(_ path: String, _ body: () throws -> Void) throws {
    let before = try #require(mode(of: path))
    // Readable for all, because the thread is somebody else in a moment.
    chmod(path, 0o555)
    defer { chmod(path, before) }
    try asOrdinaryUser(body)
}

/// File access of this thread as user 65534 if the process is root's. Linux keeps this identity per thread, so `body` must
/// not suspend; other tests are not affected.
private func asOrdinaryUser(_ body: () throws -> Void) throws {
    guard geteuid() == 0 else { return try body() }
    typealias SetIdentity = @convention(c) (uid_t) -> CInt
    let symbol = try #require(dlsym(nil, "setfsuid"))
    let setFileSystemUser = unsafeBitCast(symbol, to: SetIdentity.self)
    _ = setFileSystemUser(65534)
    defer { _ = setFileSystemUser(0) }
    try body()
}

func readFile(_ path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(filePath: path)))
}

func copyFile(_ path: String, to copy: String) throws {
    try FileManager.default.copyItem(atPath: path, toPath: copy)
}
