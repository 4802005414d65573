#if Server
import EaselTesting
import Foundation
import TestSupport
import Testing

@testable import EaselServer

@Suite(
    .serialized, .enabled(if: Tool.isInstalled("openssl") && Tool.isInstalled("curl"), "openssl or curl is missing."))
struct TLSTests {
    /// Writes a certificate of its own for a name.
    private func makeCertificate(_ name: String, in folder: URL) async throws {
        _ = try await Tool.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                folder.appending(path: "key.pem").path, "-out", folder.appending(path: "certificate.pem").path,
            ])
    }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "easel-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await makeCertificate("first", in: folder)
        try await body(folder)
    }

    private func certificate(in folder: URL) throws -> ServerCertificate {
        try ServerCertificate(
            certificateFile: folder.appending(path: "certificate.pem").path,
            keyFile: folder.appending(path: "key.pem").path)
    }

    @Test(arguments: [("--http2", "2"), ("--http1.1", "1.1")])
    func `An image is served with TLS`(option: String, version: String) async throws {
        try await withFolder { folder in
            let certificate = try certificate(in: folder)
            try await RunningServer.with({ $0.connections.certificate = certificate }) { server in
                let url = "https://127.0.0.1:\(server.port)\(server.target("w:16"))"
                let output = try await Tool.run(
                    "curl",
                    [
                        "--silent", "--cacert", folder.appending(path: "certificate.pem").path, option, "--output",
                        "/dev/null", "--write-out", "%{http_version} %{http_code} %{content_type}", url,
                    ])
                #expect(output == "\(version) 200 image/png")
            }
        }
    }

    @Test func `A connection without a handshake is closed`() async throws {
        try await withFolder { folder in
            let certificate = try certificate(in: folder)
            try await RunningServer.with({
                $0.connections.certificate = certificate
                $0.connections.headTimeout = .milliseconds(100)
            }) { server in
                _ = try await WireConnection(port: server.port).waitForEnd()
            }
        }
    }

    @Test func `A new certificate is used for new connections`() async throws {
        try await withFolder { folder in
            let certificate = try certificate(in: folder)
            try await RunningServer.with({ $0.connections.certificate = certificate }) { server in
                #expect(try await subject(at: server.port).contains("first"))
                try await makeCertificate("second", in: folder)
                try certificate.reload()
                #expect(try await subject(at: server.port).contains("second"))
            }
        }
    }

    @Test func `A damaged certificate leaves the previous one`() async throws {
        try await withFolder { folder in
            let certificate = try certificate(in: folder)
            try Data("damaged".utf8).write(to: folder.appending(path: "certificate.pem"))
            #expect(throws: (any Error).self) { try certificate.reload() }
            try await RunningServer.with({ $0.connections.certificate = certificate }) { (server) async throws in
                #expect(try await subject(at: server.port).contains("first"))
            }
        }
    }

    @Test func `A stream that the client resets cancels its request`() async throws {
        try await withFolder { folder in
            let certificate = try certificate(in: folder)
            try await RunningServer.with(
                { $0.connections.certificate = certificate },
                routes: { configuration in
                    configuration.respond("/slow.png", with: .image(.gradient(8, 8)), faults: [.noResponse])
                }
            ) { server in
                let url = "https://127.0.0.1:\(server.port)\(server.target("w:4", "/slow.png"))"
                _ = try await Tool.run("curl", ["--silent", "--insecure", "--http2", "--max-time", "1", url])
                _ = await server.origin.waitForClose(of: "/slow.png")
            }
        }
    }

    /// Returns the subject of the certificate of a server.
    private func subject(at port: Int) async throws -> String {
        try await Tool.run("openssl", ["s_client", "-connect", "127.0.0.1:\(port)"], input: "Q\n")
    }
}
#endif
