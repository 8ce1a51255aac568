import Rules

extension ZimmerSettings {
    /// How PEM begins a certificate (RFC 7468, section 5; the other is OpenSSL's).
    private static let beginnings = ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----"]

    /// In bytes. All authorities of a system have a few hundred thousand.
    private static let longestBundle = 4 << 20

    /// The file of certificates that vouch for Zimmer's (`ca_file`); nil for the system's.
    ///
    /// Looked at here: the library would say no more than that nobody is trusted, and only when it connects.
    func authorities(_ secrets: SecretResolver) throws(Assembly.Failure) -> String? {
        guard let path = caFile.map(secrets.path) else { return nil }
        let bytes: [UInt8]
        do throws(BoundedFile.Fault) {
            bytes = try BoundedFile.read(path, atMost: Self.longestBundle)
        } catch .unreadable(let error) {
            throw Self.failure(path, "cannot be read: \(error)")
        } catch {
            throw Self.failure(path, "is longer than 4 MiB")
        }
        guard Self.beginnings.contains(where: { bytes.firstRange(of: Array($0.utf8)) != nil }) else {
            throw Self.failure(path, "has no certificate in it")
        }
        return path
    }

    private static func failure(_ path: String, _ reason: String) -> Assembly.Failure {
        Assembly.Failure(
            description: "zimmer.ca_file: \(path) \(reason); put the certificate of the authority there, as PEM")
    }
}
