import AdapterKit
import Testing

@Suite struct FingerprintTests {
    @Test func `the loaded AdapterKit is the one that this was compiled against`() {
        #expect(!adapterKitSources.isEmpty)
        #expect(adapterKitABI.hasPrefix(adapterKitSources + " "))
        #expect(loadedAdapterKitABI() == adapterKitABI)
    }
}
