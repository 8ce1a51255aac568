extension Message.Subject {
    /// `url`, fit to be sent: an address of the web, encoded so that nothing in it ends it early; nil for any other, and for
    /// one so long that it would leave no room for a message.
    public var pageURL: String? {
        guard let url, url.utf8.count <= 1000, url.hasPrefix("https://") || url.hasPrefix("http://") else { return nil }
        let encoded = url.percentEncoded
        return encoded.utf8.count <= 1000 ? encoded : nil
    }
}
