package import AdapterKit
import Foundation
package import Rules

/// Reads secrets from where the rules file says they are.
package struct SecretResolver: Sendable {
    /// Why a secret cannot be had; names the place, never the secret.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package var position: SourcePosition
        package var reason: String

        package var description: String {
            "\(position.file):\(position.line):\(position.column): error: \(reason)"
        }
    }

    /// No token or password is longer; a path to something else by mistake is.
    private static let longest = 64 << 10

    private let environment: [String: String]
    private let folder: String

    /// - Parameter folder: of the rules file, which `file:` is relative to.
    package init(environment: [String: String], folder: String) {
        self.environment = environment
        self.folder = folder
    }

    package func resolve(_ reference: SecretReference) throws(Failure) -> Secret {
        let text: String
        switch reference.source {
        case .environment(let name):
            guard let value = environment[name], !value.isEmpty else {
                throw Failure(position: reference.position, reason: "the environment has no \(name); set it")
            }
            text = value
        case .file(let path):
            text = try read(self.path(path), reference)
        case .credential(let name):
            guard let directory = environment["CREDENTIALS_DIRECTORY"] else {
                throw Failure(
                    position: reference.position,
                    reason: "there is no CREDENTIALS_DIRECTORY; run under systemd with LoadCredential=\(name):…")
            }
            text = try read(directory + "/" + name, reference)
        }
        return Secret(text)
    }

    /// A path as the rules file means it.
    package func path(_ text: String) -> String {
        text.hasPrefix("/") ? text : folder + "/" + text
    }

    private func read(_ path: String, _ reference: SecretReference) throws(Failure) -> String {
        let data: Data
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            data = try file.read(upToCount: Self.longest + 1) ?? Data()
        } catch {
            throw Failure(position: reference.position, reason: "the secret's file \(path) cannot be read")
        }
        guard data.count <= Self.longest, let text = String(data: data, encoding: .utf8) else {
            throw Failure(position: reference.position, reason: "\(path) is no text of at most 64 KiB")
        }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else {
            throw Failure(position: reference.position, reason: "the secret's file \(path) is empty")
        }
        return trimmed
    }
}
