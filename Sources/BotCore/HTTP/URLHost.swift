/// The host of a URL: the one part that may be shown.
enum URLHost {
    /// `host:port` as written, without credentials; "the server" when there is none to be found.
    static func display(of url: String) -> String {
        let authority = authority(of: url)
        let printable = authority.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return authority.isEmpty || !printable || authority.utf8.count > 255 ? "the server" : String(authority)
    }

    /// `https://host:port`: what `display` shows, with the scheme before it where that is one of the web's.
    static func origin(of url: String) -> String {
        let scheme = ["https://", "http://"].first { ASCII.hasPrefixIgnoringCase(url, $0) } ?? ""
        return scheme + display(of: url)
    }

    /// The host alone, without a port, as written.
    static func name(of url: String) -> Substring {
        let authority = authority(of: url)
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return authority[...end] }
        return authority.prefix { $0 != ":" }
    }

    private static func authority(of url: String) -> Substring {
        guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else { return "" }
        let authority = url[colon...].dropFirst(3).prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\" }
        guard let at = authority.lastIndex(of: "@") else { return authority }
        return authority[authority.index(after: at)...]
    }
}
