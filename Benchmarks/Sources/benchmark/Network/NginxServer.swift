import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// nginx as it is installed, with one worker on this machine: HTTP/1.1 on one port, HTTP/2 with TLS on another. It has a
/// folder of its own, and ends with this object, or with this process, however that ends.
final class NginxServer: Sendable {
    let port: UInt16
    let securePort: UInt16
    /// What proves who the server is: made for this run, or the `certificate.pem` beside a `key.pem` in the folder that
    /// `EASEL_BENCH_CERTIFICATE` names. URLSession takes on Linux only what the whole system trusts.
    let certificate: String
    private let folder: String
    private let process: TiedProcess

    /// Serves the files below their names, and for any name below these paths: `/fresh/` says that they may be kept,
    /// `/stale/` that they are to be asked about.
    init(_ files: [String: Data]) throws {
        let nginx = try Tool.require("nginx")
        let openssl = try Tool.require("openssl", for: "nginx with TLS")
        folder = try ScratchFolder.make("nginx")
        port = try Loopback.freePort()
        securePort = try Loopback.freePort()
        let given = ProcessInfo.processInfo.environment["EASEL_BENCH_CERTIFICATE"]
        certificate = (given ?? folder) + "/certificate.pem"
        for (name, data) in files { try data.write(to: URL(filePath: folder + "/" + name)) }
        if given == nil { try Self.makeCertificate(openssl, folder) }
        let configuration = folder + "/nginx.conf"
        try Self.configuration(folder, given ?? folder, port: port, securePort: securePort)
            .write(toFile: configuration, atomically: true, encoding: .utf8)
        process = try TiedProcess([nginx, "-p", folder, "-c", configuration, "-e", folder + "/errors"])
        for _ in 0..<1000 where !Loopback.isAnswered(securePort) { usleep(10_000) }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }
    func secureURL(_ path: String) -> String { "https://127.0.0.1:\(securePort)/\(path)" }

    /// Requests that it has got so far, with the ones that ask this.
    func requestCount() async throws -> Int {
        guard let url = URL(string: url("status")) else { return 0 }
        let text = String(decoding: try await URLSession.shared.data(from: url).0, as: UTF8.self)
        // Active connections: 1 / server accepts handled requests / 12 12 345 / ...
        let numbers = text.split(separator: "\n").dropFirst(2).first?.split(separator: " ").compactMap { Int($0) }
        return numbers?.last ?? 0
    }

    /// The version of what a path has.
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
        _ folder: String, _ certificates: String, port: UInt16, securePort: UInt16
    ) -> String {
        let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        let temporary = kinds.map { kind in
            "\(kind)_temp_path \(folder)/\(kind);"
        }
        return """
            daemon off; master_process off; pid \(folder)/pid;
            events { worker_connections 1024; }
            http {
                access_log off; root \(folder); default_type image/jpeg; sendfile on; tcp_nopush on;
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
