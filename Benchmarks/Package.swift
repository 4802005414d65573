// swift-tools-version: 6.2
import PackageDescription

// The sandbox requires Linux.
#if os(Linux)
let traits: Set<Package.Dependency.Trait> = [.defaults, "Sandbox"]
#else
let traits: Set<Package.Dependency.Trait> = [.defaults]
#endif

// Separate, so that users of Easel do not resolve the peers.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Easel", path: "..", traits: traits),
        .package(name: "Gallery", path: "../Examples/Gallery"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .executableTarget(
            name: "benchmark",
            dependencies: [
                "CBenchmark",
                .product(name: "Easel", package: "Easel"),
                .product(name: "EaselCompatibility", package: "Easel"),
                .product(name: "EaselSandbox", package: "Easel"),
                // Built with the benchmark, which runs it.
                .product(name: "gallery", package: "Gallery"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            resources: [
                .copy("EndToEnd/first-image.py"), .copy("EndToEnd/threads-peer.py"),
                .copy("Network/aiohttp-peer.py"), .copy("Server/pyvips-server.py"),
                .copy("Images/python-libraries.py"), .copy("Images/system_libraries.py"),
                .copy("Tools/caches-peer.py"),
                .copy("View/naive-gtk-loader.py"), .copy("View/far-origin.py"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]),
        .target(name: "CBenchmark"),
    ],
    cLanguageStandard: .c17
)
