package import Foundation

/// A directory for one test, removed with everything in it when the test lets go of it.
package final class TemporaryDirectory: Sendable {
    package let path: String

    /// - Parameter inMemory: for tests with many, where there is such a place: nothing waits for a disk.
    package init(inMemory: Bool = false) throws {
        let memory = "/dev/shm"
        let isThere = inMemory && FileManager.default.isWritableFile(atPath: memory)
        let parent = isThere ? URL(filePath: memory) : FileManager.default.temporaryDirectory
        let url = parent.appending(path: "zimmer-bot-test-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func path(_ name: String) -> String { "\(path)/\(name)" }

    package func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: path(name))
    }

    /// The files of a folder with what is in them: equal when nothing was touched.
    package func contents(of folder: String) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: path(folder))
        let files = try names.map { ($0, try Data(contentsOf: URL(filePath: path("\(folder)/\($0)")))) }
        return Dictionary(uniqueKeysWithValues: files)
    }

    /// Writes a file, in place if it is there, and returns its path.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: path(name)))
        return path(name)
    }

    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }
}
