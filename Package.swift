// swift-tools-version: 6.2
import PackageDescription

/// The settings that every target of ours is built with.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// swift-nio, only for those who ask for the test origin server: who depends on `Easel` alone neither
/// resolves nor builds it.
func nio(_ product: String) -> Target.Dependency {
    .product(name: product, package: "swift-nio", condition: .when(traits: ["OriginServer"]))
}

/// swift-nio-ssl, only for those who ask for an origin server with TLS.
let nioTLS = Target.Dependency.product(
    name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["OriginServerTLS"]))

let package = Package(
    name: "Easel",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Easel", targets: ["Easel"]),
        .library(name: "EaselCore", targets: ["EaselCore"]),
        .library(name: "EaselEncryption", targets: ["EaselEncryption"]),
        .library(name: "EaselTesting", targets: ["EaselTesting"]),
    ],
    traits: [
        .trait(
            name: "OriginServer",
            description: "EaselTesting's origin server with faults, and `easel demo`. Adds swift-nio."),
        .trait(
            name: "OriginServerTLS",
            description: "The origin server speaks TLS with a test certificate. Adds swift-nio-ssl.",
            enabledTraits: ["OriginServer"]),
        .trait(
            name: "Encryption",
            description: "EaselEncryption's AES-GCM for files at rest. Adds swift-crypto."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: [
        .target(name: "Easel", dependencies: ["EaselCore", "EaselCodecs", "EaselHTTP"], swiftSettings: strict),
        .target(name: "EaselCore", dependencies: ["CEaselSystem"], swiftSettings: strict),
        .target(
            name: "EaselCodecs", dependencies: ["EaselCore", "CEaselJPEG", "CWebP", "CDeflate"],
            swiftSettings: strict),
        .target(
            name: "EaselHTTP", dependencies: ["EaselCore", "CEaselCurl", "CEaselSystem", "CZlib"], swiftSettings: strict
        ),
        .target(
            name: "EaselEncryption",
            dependencies: [
                "EaselCore",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Encryption"])),
            ],
            swiftSettings: strict),
        .target(
            name: "EaselTesting",
            dependencies: [
                "EaselCore", "EaselCodecs", "CDeflate", nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
                nioTLS,
            ],
            swiftSettings: strict),
        // The folder is not called `easel`: beside `Easel` it would not survive a file system that folds case.
        .executableTarget(
            name: "easel",
            dependencies: [
                "Easel", "EaselTesting", "CThreadSanitizer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/EaselCommand", resources: [.copy("Samples")], swiftSettings: strict),

        .target(name: "CEaselSystem"),
        .target(name: "CEaselCurl", dependencies: ["CCurl"]),
        .target(name: "CEaselJPEG", dependencies: ["CJPEG"]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(
            name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
        .systemLibrary(
            name: "CWebP", pkgConfig: "libwebpdemux libwebp",
            providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
        .systemLibrary(
            name: "CDeflate", pkgConfig: "libdeflate",
            providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

        // Empty, but in a build for Thread Sanitizer. All test targets make one binary: what one links, all have.
        .target(name: "CThreadSanitizer", path: "Tests/ThreadSanitizer"),
        // What the disk cache's tests run as processes of their own.
        .executableTarget(
            name: "cache-writer", dependencies: ["EaselCore", "CThreadSanitizer"], path: "Tests/CacheWriter",
            swiftSettings: strict),
        .testTarget(
            name: "EaselCoreTests", dependencies: ["cache-writer", "EaselCore", "EaselTesting"], swiftSettings: strict),
        .testTarget(name: "EaselCodecsTests", dependencies: ["EaselCodecs", "EaselTesting"], swiftSettings: strict),
        .testTarget(
            name: "EaselHTTPTests", dependencies: ["EaselHTTP", "EaselTesting", "CZlib", "CThreadSanitizer"],
            swiftSettings: strict),
        .testTarget(
            name: "EaselTestingTests",
            dependencies: ["EaselCore", "EaselTesting", nio("NIOCore"), nio("NIOPosix"), nioTLS],
            swiftSettings: strict),
        .testTarget(
            name: "EaselEncryptionTests", dependencies: ["EaselCore", "EaselEncryption"], swiftSettings: strict),
        .testTarget(name: "EaselTests", dependencies: ["Easel", "EaselTesting"], swiftSettings: strict),
        .testTarget(
            name: "EaselCommandTests", dependencies: ["easel", "Easel", "EaselTesting"], swiftSettings: strict),
    ],
    cLanguageStandard: .c17
)
