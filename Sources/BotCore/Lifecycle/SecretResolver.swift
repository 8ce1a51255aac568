package import AdapterKit
import Foundation
import Glibc
package import Rules

/// Reads secrets from where the rules file says they are.
package struct SecretResolver: Sendable {
    /// Why a secret cannot be had; names the place, never the secret.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package var position: SourcePosition
        package var reason: String

        package var description: String { "\(position): error: \(reason)" }
    }

    /// No token or password is longer; a path to something else by mistake is.
    private static let longest = 64 << 10

    private let environment: [String: String]
    private let folder: String
    private var standIn: Secret?

    /// - Parameter folder: of the rules file, which `file:` is relative to.
    package init(environment: [String: String], folder: String) {
        self.environment = environment
        self.folder = folder
    }

    /// The same, with a stand-in where a secret cannot be had: to see what else is wrong with a channel.
    package var withStandIns: SecretResolver {
        var copy = self
        // An address is what most adapters ask of a secret, if anything.
        copy.standIn = Secret("https://stand-in.invalid/secret")
        return copy
    }

    package func resolve(_ reference: SecretReference) throws(Failure) -> Secret {
        do throws(Failure) {
            return try find(reference)
        } catch {
            guard let standIn else { throw error }
            return standIn
        }
    }

    /// A credential that goes into a header.
    ///
    /// - Throws: `Failure`, of what is none too.
    func resolve(_ reference: SecretReference, as credential: TokenFault.Credential) throws(Failure) -> APIKey {
        let text = try resolve(reference).reveal()
        do throws(TokenFault) {
            try TokenFault.check(text, as: credential)
        } catch {
            throw Failure(position: reference.position, reason: error.description)
        }
        return APIKey(text)
    }

    /// Whether a secret of a file can be had, and is what it is for as far as the file says: what a channel makes of one
    /// is the channel's to say.
    package func check(_ reference: SecretReference, of file: RuleFile) throws(Failure) {
        switch reference {
        case file.zimmer?.apiKey: _ = try resolve(reference, as: .apiKey)
        case file.zimmer?.edgeToken: _ = try resolve(reference, as: .edgeToken)
        default: _ = try resolve(reference)
        }
    }

    private func find(_ reference: SecretReference) throws(Failure) -> Secret {
        func failure(_ reason: String) -> Failure { Failure(position: reference.position, reason: reason) }
        let text: String
        let place: String
        switch reference.source {
        case .environment(let name):
            guard let value = environment[name], !value.isEmpty else {
                throw failure("the environment has no \(name); set it")
            }
            (text, place) = (value, name)
        case .file(let path):
            place = self.path(path)
            text = try read(place, reference)
        case .credential(let name):
            guard let directory = environment["CREDENTIALS_DIRECTORY"] else {
                throw failure("there is no CREDENTIALS_DIRECTORY; run under systemd with LoadCredential=\(name):…")
            }
            place = directory + "/" + name
            text = try read(place, reference)
        }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { throw failure("the secret in \(place) is empty; put it there") }
        // It goes into a header or an address, which end at a line break.
        guard !trimmed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw failure("the secret in \(place) has a line break or a control character; it is one line of text")
        }
        return Secret(trimmed)
    }

    /// What is better done about a secret although it can be had.
    package func concern(about reference: SecretReference) -> Failure? {
        guard case .file(let path) = reference.source else { return nil }
        var status = stat()
        guard stat(self.path(path), &status) == 0, status.st_mode & S_IROTH != 0 else { return nil }
        return Failure(
            position: reference.position,
            reason: "everybody on this machine can read \(self.path(path)); chmod o-r it")
    }

    /// A path as the rules file means it.
    package func path(_ text: String) -> String {
        text.hasPrefix("/") ? text : folder + "/" + text
    }

    private func read(_ path: String, _ reference: SecretReference) throws(Failure) -> String {
        func failure(_ reason: String) -> Failure { Failure(position: reference.position, reason: reason) }
        let bytes: [UInt8]
        do throws(BoundedFile.Fault) {
            bytes = try BoundedFile.read(path, atMost: Self.longest)
        } catch .unreadable(let error) {
            throw failure("the secret's file \(path) cannot be read: \(error)")
        } catch {
            throw failure("the secret's file \(path) is longer than 64 KiB")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw failure("the secret's file \(path) is no text")
        }
        return text
    }
}
