// swift-tools-version: 6.2
import PackageDescription

// A separate package, because `make fuzz` builds it with the fuzzer and Address Sanitizer.
let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Easel", path: "../..")],
    targets: [
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CFuzzer",
                .product(name: "EaselCore", package: "Easel"),
                .product(name: "EaselCodecs", package: "Easel"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]),
        .target(name: "CFuzzer"),
    ],
    cLanguageStandard: .c17
)
