// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Lean",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Easel", path: "../..")],
    targets: [.executableTarget(name: "lean", dependencies: [.product(name: "Easel", package: "Easel")])]
)
