// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of Easel resolve none of what it is measured against.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Easel", path: "..")],
    targets: [
        .executableTarget(
            name: "benchmark",
            dependencies: [.product(name: "Easel", package: "Easel")],
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")])
    ]
)
