// swift-tools-version: 6.2
import PackageDescription

// A package of its own with a dynamic product: however many modules and plugins use AdapterKit, a process holds one copy.
let package = Package(
    name: "AdapterKit",
    products: [.library(name: "AdapterKit", type: .dynamic, targets: ["AdapterKit"])],
    targets: [
        .systemLibrary(name: "CAdapterKit", path: "CAdapterKit"),
        .target(
            name: "AdapterKit", dependencies: ["CAdapterKit"], path: ".", exclude: ["Package.swift", "CAdapterKit"],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
