// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Gallery",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "gallery", targets: ["gallery"])],
    dependencies: [.package(name: "Easel", path: "../..", traits: [.defaults, "GTK", "OriginServer"])],
    targets: [
        .executableTarget(
            name: "gallery",
            dependencies: [
                "CGallery", .product(name: "EaselGTK", package: "Easel"),
                .product(name: "EaselTesting", package: "Easel"),
            ],
            // Without URLs, the gallery shows images from an embedded server.
            swiftSettings: [.swiftLanguageMode(.v6), .define("EMBEDDED_ORIGIN")]),
        .target(name: "CGallery"),
    ]
)
