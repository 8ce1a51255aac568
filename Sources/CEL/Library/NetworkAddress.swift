/// An IPv4 or IPv6 address, `net.IP` in expressions.
final class NetworkAddress: OpaqueValue {
    static let type = Type.named("net.IP", [])

    /// 4 or 6.
    let family: Int
    /// The lower 32 bits for IPv4.
    let bits: UInt128

    var type: Type { NetworkAddress.type }
    var width: Int { family == 4 ? 32 : 128 }

    /// Reads dotted IPv4 or colon-separated IPv6; nil for anything else, also for a zone or a dotted end in IPv6.
    convenience init?(parsing text: String) {
        guard text.utf8.count <= 39 else { return nil }
        if text.utf8.contains(UInt8(ascii: ":")) {
            guard let bits = NetworkAddress.ipv6(text) else { return nil }
            self.init(family: 6, bits: bits)
        } else {
            guard let bits = NetworkAddress.ipv4(text) else { return nil }
            self.init(family: 4, bits: bits)
        }
    }

    init(family: Int, bits: UInt128) {
        self.family = family
        self.bits = bits
    }

    /// An IPv4 address mapped into IPv6 is the same address.
    private var unmapped: NetworkAddress {
        family == 6 && bits >> 32 == 0xFFFF ? NetworkAddress(family: 4, bits: bits & 0xFFFF_FFFF) : self
    }

    func isEqual(to other: any OpaqueValue) -> Bool {
        guard let other = other as? NetworkAddress else { return false }
        let (a, b) = (unmapped, other.unmapped)
        return a.family == b.family && a.bits == b.bits
    }

    // MARK: Text

    private static func ipv4(_ text: String) -> UInt128? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt128 = 0
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ isDigit($0) }),
                part == "0" || !part.hasPrefix("0"), let byte = UInt8(part)
            else { return nil }
            bits = bits << 8 | UInt128(byte)
        }
        return bits
    }

    private static func ipv6(_ text: String) -> UInt128? {
        var groups: [UInt16] = []
        var gap: Int?
        var rest = Substring(text)
        if rest.hasPrefix("::") {
            gap = 0
            rest = rest.dropFirst(2)
        }
        while !rest.isEmpty {
            let word = rest.prefix { $0 != ":" }
            guard (1...4).contains(word.utf8.count), word.utf8.allSatisfy({ isHexDigit($0) }),
                let group = UInt16(word, radix: 16)
            else { return nil }
            groups.append(group)
            rest = rest.dropFirst(word.count)
            if rest.hasPrefix("::") {
                guard gap == nil else { return nil }
                gap = groups.count
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix(":") {
                rest = rest.dropFirst()
                guard !rest.isEmpty else { return nil }
            }
        }
        guard gap == nil ? groups.count == 8 : groups.count < 8 else { return nil }
        if let gap { groups.insert(contentsOf: repeatElement(0, count: 8 - groups.count), at: gap) }
        return groups.reduce(0) { $0 << 16 | UInt128($1) }
    }

    /// The canonical text (RFC 5952).
    var text: String {
        if family == 4 {
            return (0..<4).reversed().map { String(UInt8(truncatingIfNeeded: bits >> ($0 * 8))) }.joined(separator: ".")
        }
        let groups = (0..<8).reversed().map { UInt16(truncatingIfNeeded: bits >> ($0 * 16)) }
        let words = { (groups: ArraySlice<UInt16>) in groups.map { String($0, radix: 16) }.joined(separator: ":") }
        guard let zeros = NetworkAddress.longestZeros(groups) else { return words(groups[...]) }
        return "\(words(groups[..<zeros.lowerBound]))::\(words(groups[zeros.upperBound...]))"
    }

    /// The first longest run of two zero groups or more.
    private static func longestZeros(_ groups: [UInt16]) -> Range<Int>? {
        var longest = 0..<0
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 {
                start = index + 1
            } else if index + 1 - start > longest.count {
                longest = start..<index + 1
            }
        }
        return longest.count >= 2 ? longest : nil
    }
}

// MARK: Kinds of addresses

extension NetworkAddress {
    var isUnspecified: Bool { bits == 0 }
    var isLoopback: Bool { family == 4 ? bits >> 24 == 127 : bits == 1 }
    var isMulticast: Bool { family == 4 ? bits >> 28 == 0xE : bits >> 120 == 0xFF }

    var isLinkLocalMulticast: Bool {
        family == 4 ? bits >> 8 == 0xE0_0000 : (bits >> 112) & 0xFF0F == 0xFF02
    }

    var isLinkLocalUnicast: Bool {
        family == 4 ? bits >> 16 == 0xA9FE : bits >> 118 == 0x3FA
    }

    var isGlobalUnicast: Bool {
        let isBroadcast = family == 4 && bits == 0xFFFF_FFFF
        return !(isBroadcast || isUnspecified || isLoopback || isMulticast || isLinkLocalUnicast)
    }
}

/// An address with the length of its network's prefix, `net.CIDR` in expressions.
final class NetworkPrefix: OpaqueValue {
    static let type = Type.named("net.CIDR", [])

    let address: NetworkAddress
    let length: Int

    var type: Type { NetworkPrefix.type }
    var text: String { "\(address.text)/\(length)" }

    init(_ address: NetworkAddress, length: Int) {
        self.address = address
        self.length = length
    }

    convenience init?(parsing text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = NetworkAddress(parsing: String(parts[0])),
            (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ isDigit($0) }),
            let length = Int(parts[1]), length <= address.width
        else { return nil }
        self.init(address, length: length)
    }

    func isEqual(to other: any OpaqueValue) -> Bool {
        guard let other = other as? NetworkPrefix else { return false }
        return length == other.length && address.family == other.address.family && address.bits == other.address.bits
    }

    /// The same network with the bits behind the prefix cleared.
    var masked: NetworkPrefix {
        let rest = address.width - length
        let bits = rest == 128 ? 0 : (address.bits >> rest) << rest
        return NetworkPrefix(NetworkAddress(family: address.family, bits: bits), length: length)
    }

    func contains(_ other: NetworkAddress) -> Bool {
        other.family == address.family && NetworkPrefix(other, length: length).masked.isEqual(to: masked)
    }

    func contains(_ other: NetworkPrefix) -> Bool {
        other.length >= length && contains(other.address)
    }
}
