// The `network` extension: addresses and networks.
extension Library {
    static let network: [Function] = [
        Function(
            "ip", summary: "Reads an IPv4 or IPv6 address; the address of a network",
            [
                .unary(.string, returns: NetworkAddress.type) { text, _ throws(EvaluationError) in
                    .opaque(try text.address)
                },
                Overload.unary(NetworkPrefix.type, returns: NetworkAddress.type) { value, _ throws(EvaluationError) in
                    .opaque(try value.network.address)
                }.asMember,
            ]),
        Function(
            "cidr", summary: "Reads a network, such as 192.168.0.0/24",
            [
                .unary(.string, returns: NetworkPrefix.type) { text, _ throws(EvaluationError) in
                    .opaque(try text.network)
                }
            ]),
        Function(
            "isIP", summary: "Whether the text is an IPv4 or IPv6 address",
            [
                .unary(.string, returns: .bool) { text, _ throws(EvaluationError) in
                    .bool(NetworkAddress(parsing: try text.string) != nil)
                }
            ]),
        Function(
            "isCIDR", summary: "Whether the text is a network",
            [
                .unary(.string, returns: .bool) { text, _ throws(EvaluationError) in
                    .bool(NetworkPrefix(parsing: try text.string) != nil)
                }
            ]),
        Function(
            "ip.isCanonical", summary: "Whether the text is an address in its usual form",
            [
                .unary(.string, returns: .bool) { text, _ throws(EvaluationError) in
                    .bool(try text.address.text == text.string)
                }
            ]),
        Function(
            "family", summary: "4 or 6",
            [
                Overload.unary(NetworkAddress.type, returns: .int) { value, _ throws(EvaluationError) in
                    .int(Int64(try value.address.family))
                }.asMember
            ]),
        question("isUnspecified", "Whether it is 0.0.0.0 or ::") { $0.isUnspecified },
        question("isLoopback", "Whether it is an address of this very machine") { $0.isLoopback },
        question("isGlobalUnicast", "Whether it is an address of one machine, valid everywhere") { $0.isGlobalUnicast },
        question("isLinkLocalMulticast", "Whether it is a group on the local link") { $0.isLinkLocalMulticast },
        question("isLinkLocalUnicast", "Whether it is a machine on the local link") { $0.isLinkLocalUnicast },
        Function(
            "containsIP", summary: "Whether an address is in the network",
            [.string, NetworkAddress.type].map {
                Overload.binary(NetworkPrefix.type, $0, returns: .bool) { network, ip, _ throws(EvaluationError) in
                    .bool(try network.network.contains(try ip.address))
                }.asMember
            }),
        Function(
            "containsCIDR", summary: "Whether another network is part of the network",
            [.string, NetworkPrefix.type].map {
                Overload.binary(NetworkPrefix.type, $0, returns: .bool) { network, other, _ throws(EvaluationError) in
                    .bool(try network.network.contains(try other.network))
                }.asMember
            }),
        Function(
            "masked", summary: "The network without the bits behind its prefix",
            [
                Overload.unary(NetworkPrefix.type, returns: NetworkPrefix.type) { value, _ throws(EvaluationError) in
                    .opaque(try value.network.masked)
                }.asMember
            ]),
        Function(
            "prefixLength", summary: "The length of the network's prefix in bits",
            [
                Overload.unary(NetworkPrefix.type, returns: .int) { value, _ throws(EvaluationError) in
                    .int(Int64(try value.network.length))
                }.asMember
            ]),
    ]

    private static func question(
        _ name: String, _ summary: String, _ holds: @escaping @Sendable (NetworkAddress) -> Bool
    ) -> Function {
        Function(
            name, summary: summary,
            [
                Overload.unary(NetworkAddress.type, returns: .bool) { value, _ throws(EvaluationError) in
                    .bool(holds(try value.address))
                }.asMember
            ])
    }
}

extension Value {
    /// The address, read from text if need be.
    fileprivate var address: NetworkAddress {
        get throws(EvaluationError) {
            if case .opaque(let address as NetworkAddress) = self { return address }
            let text = try string
            guard let address = NetworkAddress(parsing: text) else {
                throw EvaluationError(.invalidArgument, "'\(text.prefix(50))' is not an IP address")
            }
            return address
        }
    }

    /// The network, read from text if need be.
    fileprivate var network: NetworkPrefix {
        get throws(EvaluationError) {
            if case .opaque(let network as NetworkPrefix) = self { return network }
            let text = try string
            guard let network = NetworkPrefix(parsing: text) else {
                throw EvaluationError(
                    .invalidArgument, "'\(text.prefix(50))' is not a network, which looks like 192.168.0.0/24")
            }
            return network
        }
    }
}
