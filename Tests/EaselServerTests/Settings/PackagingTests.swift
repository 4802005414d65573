#if Server
import EaselServerURLs
import Foundation
import Testing

@testable import EaselServer

/// The settings that the files for systemd, compose and Kubernetes, and the documentation use.
struct PackagingTests {
    private static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(of path: String) throws -> String {
        try String(contentsOf: Self.repository.appending(path: path), encoding: .utf8)
    }

    @Test(arguments: ["compose.yaml", "kubernetes.yaml"])
    func `The variables of a file are valid settings`(name: String) throws {
        var environment: [String: String] = [:]
        for line in try text(of: "Packaging/server/\(name)").split(separator: "\n") {
            guard let match = line.firstMatch(of: /(EASEL_SERVE_[A-Z0-9_]+)(?:: "?([^"]*)"?)?$/) else { continue }
            environment[String(match.1)] = match.2.map(String.init) ?? ""
        }
        // These are secrets, which the file does not contain.
        for name in ["EASEL_SERVE_KEY", "EASEL_SERVE_SALT"] {
            #expect(environment[name] != nil)
            environment[name] = "aabb"
        }
        let settings = try ServerSettings(try SettingValues(flags: [:], environment: environment))
        #expect(!settings.routes.urls.allowsUnsigned)
        #expect(settings.address == .host("0.0.0.0", port: 8080))
        #expect(settings.routes.cacheFolder == "/cache")
        #expect(settings.routes.sharedTiers.count == 1)
    }

    @Test(arguments: [
        "Packaging/server/easel-serve.service", "Documentation/Easel.docc/ImageServer.md",
        "Documentation/Easel.docc/ServerURLs.md",
    ])
    func `The flags of the server in a file exist`(path: String) throws {
        let others: Set = ["config", "print-config", "help", "now"]
        let known = others.union(SettingDefinition.all.map(\.name))
        let names = try text(of: path).matches(of: /(?:^|[ `])--([a-z0-9-]+)/).map { String($0.1) }
        for name in names { #expect(known.contains(name), "\(path): --\(name)") }
    }
}
#endif
