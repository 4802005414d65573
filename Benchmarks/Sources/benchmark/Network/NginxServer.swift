import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The installed nginx with one worker on this machine: HTTP/1.1 on one port, HTTP/2 with TLS on another. It has a
/// separate folder, and ends with this object or this process.
final class NginxServer: Sendable {
    let port: UInt16
    let securePort: UInt16
    /// The server's certificate, created for this run, or `certificate.pem` with `key.pem` from the folder in
    /// `EASEL_BENCH_CERTIFICATE`. On Linux, URLSession accepts only certificates that the system trusts.
    let certificate: String
    private let folder: String
    private let process: TiedProcess

    /// Serves files by name, and for any name below two paths: `/fresh/` with responses that may be cached, `/stale/`
    /// with responses that need revalidation.
    ///
    /// - Parameter root: The folder of other files to serve.
    init(_ files: [String: Data] = [:], root: String? = nil) throws {
        let nginx = try Tool.require("nginx")
        let openssl = try Tool.require("openssl", for: "nginx with TLS")
        folder = try ScratchFolder.make("nginx")
        port = try Loopback.freePort()
        securePort = try Loopback.freePort()
        let customFolder = ProcessInfo.processInfo.environment["EASEL_BENCH_CERTIFICATE"]
        certificate = (customFolder ?? folder) + "/certificate.pem"
        for (name, data) in files { try data.write(to: URL(filePath: folder + "/" + name)) }
        if customFolder == nil { try Self.makeCertificate(openssl, folder) }
        let configuration = folder + "/nginx.conf"
        try Self.configuration(folder, root ?? folder, customFolder ?? folder, port: port, securePort: securePort)
            .write(toFile: configuration, atomically: true, encoding: .utf8)
        process = try TiedProcess([nginx, "-p", folder, "-c", configuration, "-e", folder + "/errors"])
        for _ in 0..<1000 where !Loopback.isListening(securePort) { usleep(10_000) }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }
    func secureURL(_ path: String) -> String { "https://127.0.0.1:\(securePort)/\(path)" }

    /// Returns the number of requests so far, including the status requests.
    func requestCount() async throws -> Int {
        guard let url = URL(string: url("status")) else { return 0 }
        let text = String(decoding: try await URLSession.shared.data(from: url).0, as: UTF8.self)
        // Active connections: 1 / server accepts handled requests / 12 12 345 / ...
        let numbers = text.split(separator: "\n").dropFirst(2).first?.split(separator: " ").compactMap { Int($0) }
        return numbers?.last ?? 0
    }

    /// Returns the entity tag of a path.
    func entityTag(_ path: String) async throws -> String {
        guard let url = URL(string: url(path)) else { return "" }
        let response = try await URLSession.shared.data(from: url).1 as? HTTPURLResponse
        return response?.value(forHTTPHeaderField: "ETag") ?? ""
    }

    private static func makeCertificate(_ openssl: String, _ folder: String) throws {
        try Tool.run(
            openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout",
            folder + "/key.pem", "-out", folder + "/certificate.pem")
    }

    private static func configuration(
        _ folder: String, _ root: String, _ certificates: String, port: UInt16, securePort: UInt16
    ) -> String {
        let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        let temporary = kinds.map { kind in
            "\(kind)_temp_path \(folder)/\(kind);"
        }
        return """
            daemon off; master_process off; pid \(folder)/pid;
            events { worker_connections 1024; }
            http {
                access_log off; root \(root); default_type image/jpeg; sendfile on; tcp_nopush on;
                keepalive_requests 1000000; etag on; \(temporary.joined(separator: " "))
                server {
                    listen 127.0.0.1:\(port);
                    listen 127.0.0.1:\(securePort) ssl http2;
                    ssl_certificate \(certificates)/certificate.pem;
                    ssl_certificate_key \(certificates)/key.pem;
                    location /many/ { try_files /small =404; }
                    location /images/ { try_files /image =404; }
                    location /fresh/ { try_files /small =404; add_header Cache-Control max-age=86400; }
                    location /stale/ { try_files /small =404; add_header Cache-Control max-age=0; }
                    location = /status { stub_status; }
                }
            }
            """
    }
}
