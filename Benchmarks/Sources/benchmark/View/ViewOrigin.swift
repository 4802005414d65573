import Foundation

/// nginx with the images of the views, and a log of the requests with their times. It ends with this object or this
/// process.
final class ViewOrigin {
    /// A completed request.
    struct Request {
        /// The time of the request, in seconds since 1970, accurate to a millisecond.
        var time: Double
        var path: String
    }

    let port: UInt16
    private let log: String
    private let process: TiedProcess
    /// The log line where the current run starts.
    private var start = 0

    init(serving images: String) throws {
        guard let nginx = Tool.find("nginx") else {
            throw MissingPeer(name: "nginx", reason: "it has to be installed.")
        }
        let folder = try ScratchFolder.make("view-origin")
        port = try Loopback.freePort()
        log = folder + "/requests"
        let configuration = Self.configuration(folder, images, port)
        try configuration.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
        process = try TiedProcess(
            [nginx, "-p", folder, "-c", folder + "/nginx.conf", "-e", folder + "/errors"])
        for _ in 0..<1000 where !Loopback.isListening(port) { usleep(10_000) }
    }

    var url: String { "http://127.0.0.1:\(port)" }

    /// Starts a run, with requests from now on.
    func beginRun() { start = lines.count }

    /// The requests since the run began, in order.
    var requests: [Request] {
        lines.dropFirst(start).compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, let end = Double(words[0]), let duration = Double(words[1]) else { return nil }
            return Request(time: end - duration, path: String(words[2]))
        }.sorted { $0.time < $1.time }
    }

    private var lines: [Substring] {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n")
    }

    private static func configuration(_ folder: String, _ images: String, _ port: UInt16) -> String {
        let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        let temporary = kinds.map { "\($0)_temp_path \(folder)/\($0);" }
        return """
            daemon off; master_process off; pid \(folder)/pid;
            events { worker_connections 1024; }
            http {
                log_format run '$msec $request_time $uri'; access_log \(folder)/requests run;
                root \(images); default_type image/jpeg; types { image/jpeg jpg; image/gif gif; }
                sendfile on; tcp_nopush on; keepalive_requests 1000000; etag on; \(temporary.joined(separator: " "))
                server { listen 127.0.0.1:\(port); }
            }
            """
    }
}
