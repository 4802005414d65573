import EaselCore
import EaselHTTP
import EaselTesting
import Foundation

/// A single-process nginx that serves a temporary folder over HTTP/2 with TLS on one free port and HTTP/1.1 on another.
final class Nginx {
    /// The path of nginx, or `nil` if it is not installed. The origin server supports only HTTP/1.1.
    static let path = ["/usr/sbin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    private let process = Process()
    private let folder: URL
    private let port: UInt16
    private let plainPort: UInt16
    /// Finishes when the process ends.
    private let ends: AsyncStream<Void>

    /// Serves files while `body` runs.
    ///
    /// - Parameter files: The files to serve, by name.
    static func serve(_ files: [String: Data], _ body: (Nginx) async throws -> Void) async throws {
        guard let path else { throw CocoaError(.fileNoSuchFile) }
        let server = try Nginx(path: path, files: files)
        do {
            try await server.waitUntilReady()
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private init(path: String, files: [String: Data]) throws {
        let (ends, reportEnd) = AsyncStream<Void>.makeStream()
        self.ends = ends
        folder = FileManager.default.temporaryDirectory.appending(path: "easel-nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Both are open at once, so that the ports differ.
        let listeners = [try LoopbackListener(), try LoopbackListener()]
        (port, plainPort) = (listeners[0].port, listeners[1].port)
        for listener in listeners { listener.close() }
        for (name, data) in files { try data.write(to: folder.appending(path: name)) }
        let certificate = OriginCertificate.testCertificate
        try Data(certificate.certificate.utf8).write(to: folder.appending(path: "certificate"))
        try Data(certificate.privateKey.utf8).write(to: folder.appending(path: "key"))
        try Data(configuration.utf8).write(to: folder.appending(path: "configuration"))
        process.executableURL = URL(filePath: path)
        process.arguments = ["-p", folder.path, "-c", folder.path + "/configuration", "-e", folder.path + "/errors"]
        process.standardError = FileHandle.nullDevice
        process.terminationHandler = { _ in reportEnd.finish() }
        try process.run()
    }

    /// `waitUntilExit()` would spin on the test's thread. SIGTERM would not arrive: a process that is started on a
    /// libdispatch thread inherits a mask that blocks all signals.
    private func stop() async {
        kill(process.processIdentifier, SIGKILL)
        for await _ in ends {}
        try? FileManager.default.removeItem(at: folder)
    }

    func url(_ name: String) -> String { "https://127.0.0.1:\(port)/\(name)" }
    func plainURL(_ name: String) -> String { "http://127.0.0.1:\(plainPort)/\(name)" }

    private func waitUntilReady() async throws {
        let transport = CurlTransport()
        while process.isRunning {
            do {
                _ = try await transport.get(url(""), allowsInvalidCertificates: true)
                return
            } catch {
                // Not ready yet, or another process still has the port.
                await Task.yield()
            }
        }
        throw CocoaError(.executableLoad)
    }

    private var configuration: String {
        """
        daemon off; master_process off; pid \(folder.path)/pid;
        events { worker_connections 256; }
        http {
            access_log off; root \(folder.path); default_type application/octet-stream; keepalive_requests 100000;
            client_body_temp_path \(folder.path)/body; proxy_temp_path \(folder.path)/proxy;
            fastcgi_temp_path \(folder.path)/fastcgi; uwsgi_temp_path \(folder.path)/uwsgi;
            scgi_temp_path \(folder.path)/scgi;
            # Under /slow/ a whole file never ends, and a range is sent at once (a rate of 0 is no limit).
            map $http_range $crawl { "" 1; default 0; }
            server {
                listen 127.0.0.1:\(port) ssl http2; listen 127.0.0.1:\(plainPort);
                ssl_certificate \(folder.path)/certificate; ssl_certificate_key \(folder.path)/key;
                add_header X-Connection $connection;
                location /slow/ { alias \(folder.path)/; limit_rate_after 200k; limit_rate $crawl; }
                location = / { return 200 "ready"; }
            }
        }
        """
    }
}
