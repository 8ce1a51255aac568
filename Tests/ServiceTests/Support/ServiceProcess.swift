import Foundation
import Glibc

/// The processes that the scripts left running, by their pid files.
enum ServiceProcess {
    /// Ends them at once, where nobody can wait: the test that used them is over.
    static func killAll(in folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasSuffix(".pid") {
            let text = try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)
            if let id = text?.split(separator: " ").first.flatMap({ Int32($0) }) { kill(id, SIGKILL) }
        }
    }
}
