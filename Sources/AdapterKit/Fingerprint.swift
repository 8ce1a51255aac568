public import CAdapterKit

// Written by `make abi`. A plugin bakes these values in when it is compiled; the bot compares them with its own before it
// calls anything else, since one stored property more or another compiler makes every access undefined.

/// A hash of AdapterKit's sources, private parts included.
@_alwaysEmitIntoClient public var adapterKitSources: String { "6febba9405b7a2fb" }

/// What whoever reads it was compiled against: AdapterKit's sources and the compiler.
@_alwaysEmitIntoClient public var adapterKitABI: String { adapterKitSources + " " + String(cString: zb_compiler()) }

/// What the AdapterKit of this process was compiled from.
public func loadedAdapterKitABI() -> String { adapterKitABI }
