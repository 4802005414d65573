import Foundation

/// Easel's image server and its peers. None keeps results, so that each request is work.
enum ImageServers {
    /// The program that `make build SERVER=1` builds, or the one that `EASEL_BENCH_SERVER` names.
    private static let program =
        ProcessInfo.processInfo.environment["EASEL_BENCH_SERVER"]
        ?? FileManager.default.currentDirectoryPath + "/.build/release/easel"

    /// Starts Easel's server.
    ///
    /// - Parameters:
    ///   - memory: The megabytes of results that it keeps in memory.
    ///   - cache: The folder of results that it keeps on disk; `nil` for none.
    static func easel(memory: Int = 0, cache: String? = nil) throws -> ImageServerProcess {
        guard (try? Tool.run(program, "serve", "--print-config")) != nil else {
            throw MissingPeer(name: "easel serve", reason: "\(program) lacks it: run make build SERVER=1.")
        }
        return try ImageServerProcess("Easel") { port in
            [
                program, "serve", "--listen", "127.0.0.1:\(port)", "--allow-private", "127.0.0.1", "--memory",
                "\(memory)", "--no-log",
            ] + (cache.map { ["--cache", $0] } ?? [])
        } url: { port, image in
            let quality = image.quality.map { "/q:\($0)" } ?? ""
            return "http://127.0.0.1:\(port)/unsafe/rs:fit:\(image.side):\(image.side)\(quality)"
                + "/plain/\(image.source)@\(image.format.fileExtension)"
        }
    }

    /// Starts the installed peers, and reports the others.
    static func peers() -> [ImageServerProcess] {
        let makes: [() throws -> ImageServerProcess] = [
            { try thumbor() }, { try pyvips(.wheel) }, { try pyvips(.system) }, { try imageFilter() },
        ]
        return makes.compactMap { make in Absence.makeOrReport(make) }
    }

    // MARK: - Peers

    private static func thumbor() throws -> ImageServerProcess {
        let name = "thumbor"
        // Separate, since it needs an older Pillow than the other groups.
        let python = try PythonProcess.python(with: [.thumbor], for: name, in: "python-thumbor")
        let configuration = try ScratchFolder.make("thumbor") + "/thumbor.conf"
        try """
        LOADER = "thumbor.loaders.http_loader"
        STORAGE = "thumbor.storages.no_storage"
        RESULT_STORAGE = None
        ALLOWED_SOURCES = ["127.0.0.1"]
        QUALITY = \(ServedFormat.jpeg.quality)
        WEBP_QUALITY = \(ServedFormat.webp.quality)
        AVIF_QUALITY = \(ServedFormat.avif.quality)

        """.write(toFile: configuration, atomically: true, encoding: .utf8)
        return try ImageServerProcess(name) { port in
            [
                python.replacing("bin/python", with: "bin/thumbor"), "--ip", "127.0.0.1", "--port", "\(port)",
                "--processes", "2", "--conf", configuration, "--log-level", "error",
            ]
        } url: { port, image in
            let quality = image.quality.map { "filters:quality(\($0))/" } ?? ""
            return "http://127.0.0.1:\(port)/unsafe/fit-in/\(image.side)x\(image.side)/\(quality)\(image.source)"
        }
    }

    static let wheel = "pyvips, wheel"
    static let system = "pyvips, Debian's libvips"

    private enum LibvipsVersion: String { case wheel, system }

    /// libvips behind aiohttp, with the library of the Python package, or with the system's.
    private static func pyvips(_ version: LibvipsVersion) throws -> ImageServerProcess {
        let name = version == .wheel ? wheel : system
        let python = try PythonProcess.python(with: [.pyvips, .aiohttp], for: name)
        let script = try PythonProcess.path(of: "pyvips-server")
        try Tool.run(python, script, version.rawValue, "check")
        return try ImageServerProcess(name) { port in
            [python, script, version.rawValue, "\(port)"]
        } url: { port, image in
            let quality = image.quality ?? image.format.quality
            return "http://127.0.0.1:\(port)/\(image.side)/\(quality)/\(image.format.fileExtension)/\(image.source)"
        }
    }

    /// nginx's image filter. It does not write AVIF.
    private static func imageFilter() throws -> ImageServerProcess {
        let name = "nginx image_filter"
        let module = "/usr/lib/nginx/modules/ngx_http_image_filter_module.so"
        guard FileManager.default.fileExists(atPath: module) else {
            throw MissingPeer(name: name, reason: "libnginx-mod-http-image-filter is not installed.")
        }
        let location = """
            location ~ ^/(\\d+)/(\\d+)/(\\d+)(/.*)$ {
                set $side $1; set $quality $2;
                proxy_pass http://127.0.0.1:$3$4;
                image_filter resize $side $side; image_filter_buffer 20M;
                image_filter_jpeg_quality $quality; image_filter_webp_quality $quality;
            }
            """
        return try nginx(name, load: module, location) { port, image in
            // The port and the path of the source: nginx would join the slashes of a URL.
            let source = image.source.split(separator: ":").last ?? ""
            return "http://127.0.0.1:\(port)/\(image.side)/\(image.quality ?? image.format.quality)/\(source)"
        }
    }

    /// nginx that serves the files of a folder.
    static func nginx(serving folder: String) throws -> ImageServerProcess {
        let location = """
            location / {
                root \(folder); default_type image/jpeg; sendfile on; tcp_nopush on; etag on;
                open_file_cache max=1000;
            }
            """
        return try nginx("nginx, files", location) { port, image in "http://127.0.0.1:\(port)/\(image.source)" }
    }

    /// nginx with two workers.
    private static func nginx(
        _ name: String, load module: String? = nil, _ location: String,
        url: @escaping @Sendable (UInt16, ServedImage) -> String
    ) throws -> ImageServerProcess {
        let program = try Tool.require("nginx", for: name)
        let folder = try ScratchFolder.make("nginx")
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder)/\($0);"
        }
        return try ImageServerProcess(name) { port in
            try """
            \(module.map { "load_module \($0);" } ?? "")
            daemon off; pid \(folder)/pid; worker_processes 2;
            events { worker_connections 1024; }
            http {
                access_log off; keepalive_requests 1000000; \(temporary.joined(separator: " "))
                server {
                    listen 127.0.0.1:\(port) reuseport;
                    \(location)
                }
            }

            """.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
            return [program, "-p", folder, "-c", folder + "/nginx.conf", "-e", folder + "/errors"]
        } url: {
            url($0, $1)
        }
    }
}
