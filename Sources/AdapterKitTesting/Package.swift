// swift-tools-version: 6.2
import PackageDescription

// Beside AdapterKit, not inside it: inside, every test bundle would link a second, static AdapterKit.
let package = Package(
    name: "AdapterKitTesting",
    products: [.library(name: "AdapterKitTesting", targets: ["AdapterKitTesting"])],
    dependencies: [.package(path: "../AdapterKit")],
    targets: [
        .target(
            name: "AdapterKitTesting", dependencies: [.product(name: "AdapterKit", package: "AdapterKit")], path: ".",
            exclude: ["Package.swift"],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
