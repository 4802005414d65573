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

/// A C library for a format with a trait. Without the trait, the package builds and runs without the library.
func library(_ name: String, if trait: String) -> Target.Dependency {
    .target(name: name, condition: .when(traits: [trait]))
}

/// swift-nio, only for the test origin server: users of `Easel` alone neither resolve nor build it.
func nio(_ product: String) -> Target.Dependency {
    .product(name: product, package: "swift-nio", condition: .when(traits: ["OriginServer"]))
}

/// swift-log and swift-metrics, only for the observers that use them.
func metrics(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Metrics"]))
}

/// swift-nio-ssl, only for an origin server with TLS.
let nioTLS = Target.Dependency.product(
    name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["OriginServerTLS"]))

/// A product that only the image server uses.
func server(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Server"]))
}

let package = Package(
    name: "Easel",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    // Re-exported modules are listed too, here and below: a module is only recompiled when one that it lists has
    // changed, and would otherwise use an old layout.
    products: [
        .library(name: "Easel", targets: ["Easel", "EaselCore", "EaselCodecs", "EaselHTTP", "EaselViews"]),
        .library(name: "EaselCore", targets: ["EaselCore"]),
        .library(name: "EaselCodecs", targets: ["EaselCodecs"]),
        .library(name: "EaselCompatibility", targets: ["EaselCompatibility", "EaselCore"]),
        .library(name: "EaselEncryption", targets: ["EaselEncryption"]),
        .library(
            name: "EaselGTK", targets: ["EaselGTK", "Easel", "EaselCore", "EaselCodecs", "EaselHTTP", "EaselViews"]),
        .library(name: "EaselMetrics", targets: ["EaselMetrics"]),
        .library(name: "EaselSandbox", targets: ["EaselSandbox", "EaselCore", "EaselCodecs"]),
        .library(name: "EaselServer", targets: ["EaselServer", "EaselServerURLs", "EaselServerTiers"]),
        .library(name: "EaselTesting", targets: ["EaselTesting"]),
        .library(name: "EaselViews", targets: ["EaselViews", "EaselCore"]),
        // For Apple's platforms, on EaselCore alone, without other libraries. Code for frameworks that a system lacks
        // is excluded.
        .library(name: "EaselApple", targets: ["EaselApple"]),
        .library(name: "EaselUIKit", targets: ["EaselUIKit", "EaselApple", "EaselCore", "EaselViews"]),
        .library(name: "EaselAppKit", targets: ["EaselAppKit", "EaselApple", "EaselCore", "EaselViews"]),
        .library(name: "EaselSwiftUI", targets: ["EaselSwiftUI", "EaselApple", "EaselCore", "EaselViews"]),
    ],
    traits: [
        .default(enabledTraits: ["AVIF", "HEIF", "JXL", "TIFF", "SVG"]),
        .trait(name: "AVIF", description: "Reads AVIF, still and animated, and writes still AVIF, by libavif."),
        .trait(name: "HEIF", description: "Reads HEIC and HEIF by libheif."),
        .trait(name: "JXL", description: "Reads JPEG XL, still and animated, and writes still JPEG XL, by libjxl."),
        .trait(name: "TIFF", description: "Reads TIFF by libtiff."),
        .trait(name: "SVG", description: "Draws SVG by librsvg, without network and files."),
        .trait(
            name: "Sandbox", description: "EaselSandbox's worker processes for decoders, on Linux. Adds libseccomp."),
        .trait(name: "GTK", description: "EaselGTK's views for GTK 4."),
        .trait(
            name: "OriginServer",
            description: "EaselTesting's origin server with faults, and `easel demo`. Adds swift-nio."),
        .trait(
            name: "OriginServerTLS",
            description: "The origin server speaks TLS with a test certificate. Adds swift-nio-ssl.",
            enabledTraits: ["OriginServer"]),
        .trait(
            name: "Server",
            description: "EaselServer's routes and `easel serve`. Adds Hummingbird, and the packages that it uses."),
        .trait(
            name: "Encryption",
            description: "EaselEncryption's AES-GCM for cached files. Adds swift-crypto."),
        .trait(
            name: "Metrics",
            description: "EaselMetrics's observers for swift-log and swift-metrics. Adds both."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.9.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: [
        .target(
            name: "Easel",
            dependencies: ["EaselCore", "EaselCodecs", "EaselHTTP", "EaselViews", "EaselFoundation"],
            swiftSettings: strict),
        .target(
            name: "EaselCore", dependencies: ["EaselFoundation", "CEaselPixels", "CEaselSystem"], swiftSettings: strict
        ),
        .target(name: "EaselFoundation", swiftSettings: strict),
        // What the transports of EaselHTTP and EaselApple share.
        .target(name: "EaselTransport", dependencies: ["EaselCore"], swiftSettings: strict),
        .target(
            name: "EaselCodecs",
            dependencies: [
                "EaselCore", "EaselFoundation", "CEaselJPEG", "CEaselPixels", "CWebP", "CDeflate", "CZlib",
                "CLittleCMS",
                library("CAVIF", if: "AVIF"), library("CHEIF", if: "HEIF"), library("CJXL", if: "JXL"),
                library("CEaselTIFF", if: "TIFF"), library("CEaselSVG", if: "SVG"),
            ],
            swiftSettings: strict),
        .target(name: "EaselCompatibility", dependencies: ["EaselCore", "EaselFoundation"], swiftSettings: strict),
        .target(
            name: "EaselHTTP", dependencies: ["EaselCore", "EaselTransport", "CEaselCurl", "CZlib"],
            swiftSettings: strict
        ),
        .target(
            name: "EaselEncryption",
            dependencies: [
                "EaselCore", "EaselFoundation",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Encryption"])),
            ],
            swiftSettings: strict),
        .target(
            name: "EaselGTK",
            dependencies: ["Easel", "EaselCore", "EaselFoundation", "EaselViews", library("CGTK", if: "GTK")],
            swiftSettings: strict),
        .target(
            name: "EaselMetrics",
            dependencies: [
                "EaselCore", "EaselFoundation", metrics("Logging", "swift-log"),
                metrics("CoreMetrics", "swift-metrics"),
            ],
            swiftSettings: strict),
        .target(
            name: "EaselTesting",
            dependencies: [
                "EaselCore", "EaselCodecs", "EaselFoundation", "CDeflate", nio("NIOCore"), nio("NIOPosix"),
                nio("NIOHTTP1"),
                nioTLS,
            ],
            swiftSettings: strict),
        .target(
            name: "EaselSandbox",
            dependencies: [
                "EaselCore", "EaselCodecs", "EaselFoundation", library("CEaselSandbox", if: "Sandbox"),
                library("CEaselSVG", if: "SVG"),
            ],
            swiftSettings: strict),
        .target(
            name: "EaselServer",
            dependencies: [
                "Easel", "EaselCodecs", "EaselCore", "EaselFoundation", "EaselHTTP", "EaselServerTiers",
                "EaselServerURLs",
                server("Crypto", "swift-crypto"), server("HTTPTypes", "swift-http-types"),
                server("Hummingbird", "hummingbird"), server("HummingbirdCore", "hummingbird"),
                server("HummingbirdHTTP2", "hummingbird"), server("HummingbirdTLS", "hummingbird"),
                server("ServiceLifecycle", "swift-service-lifecycle"), server("Logging", "swift-log"),
                server("NIOHTTPTypes", "swift-nio-extras"),
                server("NIOCore", "swift-nio"), server("NIOHTTP1", "swift-nio"), server("NIOSSL", "swift-nio-ssl"),
                server("NIOTLS", "swift-nio"),
                server("Tracing", "swift-distributed-tracing"),
            ],
            swiftSettings: strict),
        // The URLs of the image server and what they ask for. No networking.
        .target(
            name: "EaselServerURLs",
            dependencies: ["EaselCodecs", "EaselCore", "EaselFoundation", server("Crypto", "swift-crypto")],
            swiftSettings: strict),
        // Caches that several image servers share.
        .target(
            name: "EaselServerTiers",
            dependencies: [
                "EaselCore", "EaselFoundation", "EaselHTTP", server("Crypto", "swift-crypto"),
                server("Logging", "swift-log"), server("NIOCore", "swift-nio"), server("NIOPosix", "swift-nio"),
                server("NIOSSL", "swift-nio-ssl"),
            ],
            swiftSettings: strict),
        .target(name: "EaselViews", dependencies: ["EaselCore", "EaselFoundation"], swiftSettings: strict),
        // The worker of the command. It links no networking.
        .executableTarget(
            name: "easel-decoder", dependencies: ["EaselSandbox", "CThreadSanitizer"], path: "Sources/EaselDecoder",
            swiftSettings: strict),
        .target(
            name: "EaselApple", dependencies: ["EaselCore", "EaselTransport", "EaselViews"], swiftSettings: strict),
        .target(name: "EaselUIKit", dependencies: ["EaselApple", "EaselCore", "EaselViews"], swiftSettings: strict),
        .target(name: "EaselAppKit", dependencies: ["EaselApple", "EaselCore", "EaselViews"], swiftSettings: strict),
        .target(name: "EaselSwiftUI", dependencies: ["EaselApple", "EaselCore", "EaselViews"], swiftSettings: strict),
        // The folder is not called `easel`: beside `Easel` it would not survive a file system that folds case.
        .executableTarget(
            name: "easel",
            dependencies: [
                "Easel", "EaselCodecs", "EaselCompatibility", "EaselCore", "EaselFoundation", "EaselHTTP",
                "EaselSandbox", "EaselTesting", "EaselTransport", "EaselViews",
                "CThreadSanitizer",
                .target(name: "EaselServer", condition: .when(traits: ["Server"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/EaselCommand", resources: [.copy("Samples")], swiftSettings: strict),

        .target(name: "CEaselSystem"),
        .target(name: "CEaselCurl", dependencies: ["CCurl"]),
        .target(name: "CEaselJPEG", dependencies: ["CJPEG"]),
        .target(name: "CEaselPixels"),
        .target(name: "CEaselSandbox", dependencies: [library("CSeccomp", if: "Sandbox")]),
        .target(name: "CEaselSVG", dependencies: [library("CRSVG", if: "SVG"), library("CXML", if: "SVG")]),
        .target(name: "CEaselTIFF", dependencies: [library("CTIFF", if: "TIFF")]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(
            name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
        .systemLibrary(
            name: "CWebP", pkgConfig: "libwebpdemux libwebpmux libwebp",
            providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
        .systemLibrary(
            name: "CDeflate", pkgConfig: "libdeflate",
            providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
        .systemLibrary(
            name: "CLittleCMS", pkgConfig: "lcms2",
            providers: [.apt(["liblcms2-dev"]), .brew(["little-cms2"])]),
        .systemLibrary(
            name: "CAVIF", pkgConfig: "libavif", providers: [.apt(["libavif-dev"]), .brew(["libavif"])]),
        .systemLibrary(
            name: "CHEIF", pkgConfig: "libheif", providers: [.apt(["libheif-dev"]), .brew(["libheif"])]),
        .systemLibrary(
            // `libjxl` would add a flag that only highway's users need, and the package manager says that it ignores it. The
            // folders are the same.
            name: "CJXL", pkgConfig: "libjxl_threads",
            providers: [.apt(["libjxl-dev"]), .brew(["jpeg-xl"])]),
        .systemLibrary(
            name: "CTIFF", pkgConfig: "libtiff-4", providers: [.apt(["libtiff-dev"]), .brew(["libtiff"])]),
        .systemLibrary(
            name: "CRSVG", pkgConfig: "librsvg-2.0",
            providers: [.apt(["librsvg2-dev"]), .brew(["librsvg"])]),
        .systemLibrary(
            name: "CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"]), .brew(["gtk4"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

        // Empty except in builds for Thread Sanitizer. All test targets are linked into one binary.
        .target(name: "CThreadSanitizer", path: "Tests/ThreadSanitizer"),
        // A program that tests of the disk cache run in separate processes.
        .executableTarget(
            name: "cache-writer", dependencies: ["EaselCore", "EaselFoundation", "CThreadSanitizer"],
            path: "Tests/CacheWriter",
            swiftSettings: strict),
        // A program that runs a command without some system calls, to test systems that lack them.
        .executableTarget(name: "refuse-calls", path: "Tests/RefuseCalls"),
        // Fakes of the core's parts, for tests of several modules.
        .target(
            name: "TestSupport", dependencies: ["EaselCore", "EaselFoundation", "EaselTesting"], path: "Tests/Support",
            swiftSettings: strict),
        .testTarget(
            name: "EaselCoreTests",
            dependencies: [
                "cache-writer", "EaselCompatibility", "EaselCore", "EaselFoundation", "EaselTesting", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EaselCodecsTests",
            dependencies: [
                "EaselCore", "EaselCodecs", "EaselTesting", "TestSupport", "CEaselJPEG", "CEaselPixels", "CLittleCMS",
                library("CAVIF", if: "AVIF"), library("CJXL", if: "JXL"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EaselHTTPTests",
            dependencies: [
                "EaselCore", "EaselHTTP", "EaselTesting", "EaselTransport", "CEaselCurl", "CZlib", "CThreadSanitizer",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EaselTestingTests",
            dependencies: [
                "EaselCore", "EaselCodecs", "EaselTesting", "TestSupport", nio("NIOCore"), nio("NIOPosix"), nioTLS,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EaselCompatibilityTests",
            dependencies: [
                "EaselCompatibility", "EaselCore", "EaselCodecs", "EaselFoundation", "EaselTesting", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EaselEncryptionTests", dependencies: ["EaselCore", "EaselEncryption"], swiftSettings: strict),
        .testTarget(
            name: "EaselAppleTests",
            dependencies: ["EaselCore", "EaselApple", "EaselTesting", "EaselViews", "CThreadSanitizer"],
            swiftSettings: strict),
        .testTarget(
            name: "EaselMetricsTests",
            dependencies: [
                "EaselCore", "EaselMetrics", "EaselTesting", metrics("Logging", "swift-log"),
                metrics("MetricsTestKit", "swift-metrics"),
            ],
            swiftSettings: strict),
        // The main loop for tests of views. All test targets are linked into one binary, so it starts only on request.
        .target(name: "GTKMainLoop", dependencies: [library("CGTK", if: "GTK")], path: "Tests/GTKMainLoop"),
        .testTarget(
            name: "EaselGTKTests",
            dependencies: [
                "EaselCore", "EaselCodecs", "EaselGTK", "EaselTesting", "EaselViews", library("CGTK", if: "GTK"),
                library("GTKMainLoop", if: "GTK"),
            ],
            swiftSettings: strict),
        // A worker whose decoders misbehave, for tests.
        .target(name: "FaultyCalls", path: "Tests/FaultyCalls"),
        .executableTarget(
            name: "faulty-decoder",
            dependencies: [
                "FaultyCalls", "EaselSandbox", "EaselCodecs", "EaselCore", "EaselFoundation", "CThreadSanitizer",
            ],
            path: "Tests/FaultyDecoder", swiftSettings: strict),
        .testTarget(
            name: "EaselSandboxTests",
            dependencies: [
                "easel-decoder", "faulty-decoder", "refuse-calls", "EaselSandbox", "EaselCore", "EaselCodecs",
                "EaselTesting", "TestSupport",
                library("CEaselSandbox", if: "Sandbox"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EaselServerTests",
            dependencies: [
                "easel", "easel-decoder", "EaselCore", "EaselCodecs", "EaselFoundation", "EaselServer",
                "EaselServerTiers", "EaselServerURLs", "EaselTesting", "EaselHTTP", "TestSupport",
                server("Hummingbird", "hummingbird"),
                server("HummingbirdTesting", "hummingbird"),
                server("InMemoryTracing", "swift-distributed-tracing"), server("Tracing", "swift-distributed-tracing"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EaselServerURLsTests",
            dependencies: ["EaselCore", "EaselCodecs", "EaselFoundation", "EaselServerURLs", "EaselTesting"],
            swiftSettings: strict),
        .testTarget(
            name: "EaselServerTiersTests",
            dependencies: [
                "EaselCore", "EaselFoundation", "EaselHTTP", "EaselServerTiers", "EaselTesting", "TestSupport",
                server("NIOCore", "swift-nio"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EaselViewsTests",
            dependencies: ["EaselCore", "EaselFoundation", "EaselTesting", "EaselViews", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "EaselTests", dependencies: ["Easel", "EaselCore", "EaselCodecs", "EaselHTTP", "EaselTesting"],
            swiftSettings: strict),
        .testTarget(
            name: "EaselCommandTests",
            dependencies: [
                "easel", "easel-decoder", "refuse-calls", "Easel", "EaselCore", "EaselCodecs", "EaselTesting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
    ],
    cLanguageStandard: .c17
)
