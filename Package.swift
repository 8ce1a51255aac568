// swift-tools-version: 6.2
import PackageDescription

let adapterKit: Target.Dependency = .product(name: "AdapterKit", package: "AdapterKit")
let adapterKitTesting: Target.Dependency = .product(name: "AdapterKitTesting", package: "AdapterKitTesting")

let package = Package(
    name: "zimmer-bot",
    products: [.executable(name: "zimmer-bot", targets: ["zimmer-bot"])],
    dependencies: [.package(path: "Sources/AdapterKit"), .package(path: "Sources/AdapterKitTesting")],
    targets: [
        // C libraries: nothing but a module map and a shim.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CCmark", pkgConfig: "libcmark-gfm", providers: [.apt(["libcmark-gfm-dev"])]),
        .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
        .systemLibrary(name: "CMalloc"),
        // C++ libraries behind a C header.
        .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
        .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),

        .target(name: "CEL", dependencies: ["CRE2"]),
        .target(name: "Rules", dependencies: ["CEL", "CYAML"]),
        .target(
            name: "BotCore",
            dependencies: ["Rules", "CEL", adapterKit, "CCurl", "CSQLite", "CSimdjson", "CCmark", "CCairo", "CMalloc"]),
        .target(name: "ConsoleAdapter", dependencies: [adapterKit], path: "Sources/Adapters/Console"),
        .target(name: "WebhookAdapter", dependencies: [adapterKit], path: "Sources/Adapters/Webhook"),
        .target(name: "MatrixAdapter", dependencies: [adapterKit], path: "Sources/Adapters/Matrix"),
        .target(name: "IRCAdapter", dependencies: [adapterKit], path: "Sources/Adapters/IRC"),
        .target(name: "EmailAdapter", dependencies: [adapterKit], path: "Sources/Adapters/Email"),
        .target(name: "DemoZimmer", dependencies: ["CMicroHTTPD", adapterKit]),
        .target(name: "FaultProxy"),
        .executableTarget(
            name: "zimmer-bot",
            dependencies: [
                "BotCore", "Rules", "CEL", "ConsoleAdapter", "WebhookAdapter", "EmailAdapter", "MatrixAdapter",
                "IRCAdapter",
                "DemoZimmer", adapterKit,
            ],
            resources: [.embedInCode("Demo/rules.example.yaml")],
            linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib"])]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["BotCore", "Rules", "CEL", "IRCAdapter", "MatrixAdapter", "DemoZimmer", adapterKit],
            path: "Benchmarks"),

        .target(
            name: "BotTestSupport", dependencies: ["BotCore", "Rules", "CEL", adapterKit, "DemoZimmer", "FaultProxy"],
            path: "Tests/BotTestSupport"),
        .testTarget(name: "CELTests", dependencies: ["CEL"]),
        .testTarget(name: "RulesTests", dependencies: ["Rules", "CEL"], resources: [.copy("Fixtures")]),
        .testTarget(
            name: "BotCoreTests",
            dependencies: ["BotCore", "Rules", "CEL", adapterKit, adapterKitTesting, "BotTestSupport", "DemoZimmer"],
            resources: [.copy("Fixtures"), .copy("Scenarios/Timetables")]),
        .testTarget(
            name: "AdaptersTests",
            dependencies: [
                "ConsoleAdapter", "WebhookAdapter", "EmailAdapter", "MatrixAdapter", "IRCAdapter", "BotCore",
                adapterKit,
                adapterKitTesting, "BotTestSupport",
            ]),
        // Against real servers, by `make test-services`.
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "zimmer-bot", "WebhookAdapter", "EmailAdapter", "MatrixAdapter", "IRCAdapter", "BotCore", adapterKit,
                adapterKitTesting, "BotTestSupport", "DemoZimmer",
            ]),
        .testTarget(name: "DemoZimmerTests", dependencies: ["DemoZimmer"]),
        .testTarget(name: "FaultProxyTests", dependencies: ["FaultProxy", "DemoZimmer", "BotCore"]),
        .testTarget(
            name: "CommandTests",
            dependencies: ["zimmer-bot", "BotCore", "Rules", "CEL", "DemoZimmer", "BotTestSupport"]),
        // The real program under `kill -9` and a bad network, by `make chaos`.
        .testTarget(
            name: "ChaosTests",
            dependencies: ["zimmer-bot", "BotCore", "DemoZimmer", "FaultProxy", "BotTestSupport"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "zimmer-bot", "WebhookAdapter", "BotCore", "Rules", "CEL", "DemoZimmer", "FaultProxy", adapterKit,
                "BotTestSupport",
            ]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// Built by `make fuzz` alone: they need libFuzzer, which has the `main` function.
if Context.environment["ZIMMER_BOT_FUZZ"] != nil {
    for name in ["FuzzParse", "FuzzEvaluate"] {
        package.targets.append(.executableTarget(name: name, dependencies: ["CEL"], path: "contrib/fuzz/\(name)"))
    }
}

for target in package.targets where target.type != .system {
    if ["CRE2", "CSimdjson"].contains(target.name) { continue }
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
}
