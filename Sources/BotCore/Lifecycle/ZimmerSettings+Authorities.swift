import Foundation
import Rules

extension ZimmerSettings {
    /// How PEM begins a certificate (RFC 7468, section 5; the other is OpenSSL's).
    private static let beginnings = ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----"]

    /// The file of certificates that vouch for Zimmer's (`ca_file`); nil for the system's.
    ///
    /// Looked at here: the library would say no more than that nobody is trusted, and only when it connects.
    func authorities(_ secrets: SecretResolver) throws(Assembly.Failure) -> String? {
        guard let path = caFile.map(secrets.path) else { return nil }
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch CocoaError.fileReadNoSuchFile {
            throw Self.failure(path, "does not exist")
        } catch {
            throw Self.failure(path, "cannot be read (\(SystemError.current))")
        }
        guard Self.beginnings.contains(where: { data.firstRange(of: Data($0.utf8)) != nil }) else {
            throw Self.failure(path, "has no certificate in it")
        }
        return path
    }

    private static func failure(_ path: String, _ reason: String) -> Assembly.Failure {
        Assembly.Failure(
            description: "zimmer.ca_file: \(path) \(reason): put the certificate of the authority there, as PEM")
    }
}
