#if Server
import EaselCore
import EaselFoundation
import EaselServerURLs
package import HummingbirdCore

/// The settings of `easel serve`, checked.
package struct ServerSettings: Sendable {
    /// The address to listen on.
    package enum Address: Sendable, Hashable, CustomStringConvertible {
        case host(String, port: Int)
        case unix(String)

        /// The address as `--listen` has it.
        package var description: String {
            switch self {
            case .host(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
            case .unix(let path): "unix:\(path)"
            }
        }

        /// Whether only programs on this machine can connect.
        var isLocal: Bool {
            switch self {
            case .host(let host, _): host == "localhost" || host == "::1" || host.hasPrefix("127.")
            case .unix: true
            }
        }
    }

    /// The policy of the decoders' sandbox, which the command applies.
    package enum SandboxPolicy: String, Sendable, Hashable { case require, prefer, off }

    package var address = Address.host("127.0.0.1", port: 8080)
    package var routes = ImageRoutes.Configuration()
    package var connections = HTTPServerBuilder.ImageConnections()
    package var maximumConnections = 10_000
    package var drain = Duration.seconds(20)
    /// `nil` requires a sandbox if the kernel supports it.
    package var sandbox: SandboxPolicy?
    /// The file of the option `watermark`.
    package var watermarkFile: String?

    /// Reads settings. Reads the files that they name, and opens connections to no server.
    ///
    /// - Parameter environment: The environment, for the credentials of S3.
    package init(_ values: SettingValues, environment: [String: String] = [:]) throws(SettingError) {
        if let text = values.text("listen") { address = try Self.address(text) }
        try readURLRules(values)
        try readSources(values)
        try readCaches(values)
        try readSharedCaches(values, environment)
        try readLimits(values)
        try readResponses(values)
        try readConnections(values)
    }

    // MARK: - URLs and sources

    private mutating func readURLRules(_ values: SettingValues) throws(SettingError) {
        let (keys, salts) = (values.texts("key"), values.texts("salt"))
        guard keys.count == salts.count else {
            throw SettingError("There are \(keys.count) keys and \(salts.count) salts. Give a salt for each key.")
        }
        for (key, salt) in zip(keys, salts) {
            do throws(ImageURLError) {
                routes.urls.keys.append(try SigningKey(hexadecimalKey: key, salt: salt))
            } catch {
                throw SettingError(error.message)
            }
        }
        routes.urls.signatureByteCount = try values.integer("signature-size", in: 8...32) ?? 32
        // Without keys, a server that only this machine reaches needs no signatures.
        routes.urls.allowsUnsigned =
            try values.isOn("allow-unsigned") || (keys.isEmpty && address.isLocal)
        guard routes.urls.allowsUnsigned || !keys.isEmpty else {
            throw SettingError(
                "On \(address), URLs need signatures: give --key and --salt, or allow all URLs with --allow-unsigned.")
        }
        if !values.texts("allow-source").isEmpty {
            routes.urls.sources = .allowing(values.texts("allow-source"))
        }
        routes.urls.usesOnlyPresets = try values.isOn("only-presets")
        routes.urls.allowsLimitOptions = try values.isOn("allow-limits")
        let presets = try values.text("presets").map { path throws(SettingError) in
            try Self.text(ofFile: path, for: "presets")
        }
        do throws(ImageURLError) {
            if !values.texts("allow-option").isEmpty {
                routes.urls.allowedOptions = try AllowedOptions(values.texts("allow-option"))
            }
            if let presets { routes.urls.presets = try Presets(presets.split(whereSeparator: \.isNewline)) }
        } catch {
            throw SettingError(error.message)
        }
    }

    private mutating func readSources(_ values: SettingValues) throws(SettingError) {
        routes.privateHosts = Set(values.texts("allow-private"))
        if let root = values.text("local-root") {
            do throws(ImageError) { _ = try ConfinedFolder(root) } catch { throw SettingError(error.message) }
            routes.localRoot = root
        }
        if let source = values.text("fallback") {
            do throws(ImageURLError) { _ = try SourceLocation(source) } catch { throw SettingError(error.message) }
            routes.fallback = source
        }
        watermarkFile = values.text("watermark")
        if let name = values.text("sandbox") {
            guard let policy = SandboxPolicy(rawValue: name) else {
                throw SettingError("`sandbox` must be require, prefer or off.")
            }
            sandbox = policy
        }
    }

    // MARK: - Caches and limits

    private mutating func readCaches(_ values: SettingValues) throws(SettingError) {
        routes.cacheFolder = values.text("cache")
        if let size = try values.integer("cache-size", in: 1...100_000_000) { routes.diskBytes = .megabytes(size) }
        if let size = try values.integer("memory", in: 0...10_000_000) { routes.memoryBytes = size << 20 }
        routes.fixedLifetime = try values.duration("ttl", allowsZero: true)
        if let time = try values.duration("default-ttl", allowsZero: true) { routes.standardLifetime = time }
        if let time = try values.duration("stale-while-revalidate", allowsZero: true) {
            routes.staleWhileRevalidate = time
        }
    }

    private mutating func readLimits(_ values: SettingValues) throws(SettingError) {
        let large = 1...Int(Int32.max)
        if let count = try values.integer("max-pixels", in: large) { routes.sourceLimits.pixels = count }
        if let count = try values.integer("max-bytes", in: large) { routes.sourceLimits.bytes = count }
        if let count = try values.integer("max-frames", in: large) { routes.sourceLimits.frames = count }
        if let count = try values.integer("max-result-pixels", in: large) { routes.resultPixels = count }
        if let time = try values.duration("timeout") { routes.sourceTimeout = time }
        if let time = try values.duration("deadline") { routes.deadline = time }
        if let count = try values.integer("queue", in: 0...1_000_000) { routes.queueLength = count }
        if let count = try values.integer("concurrency", in: 1...100_000) { routes.concurrentRequests = count }
        if let size = try values.integer("work-memory", in: 1...10_000_000) { routes.pixelBytes = size << 20 }
    }

    // MARK: - Responses and connections

    private mutating func readResponses(_ values: SettingValues) throws(SettingError) {
        if !values.texts("format").isEmpty {
            routes.negotiatedFormats = try values.texts("format").filter { $0 != "none" }.map(Self.negotiatedFormat)
        }
        for text in values.texts("quality") {
            let parts = text.split(separator: "=")
            guard parts.count == 2, let format = ImageFormat.known.first(where: { $0.name == parts[0] }),
                let quality = Int(parts[1]), (1...100).contains(quality)
            else { throw SettingError("`quality` must be like jpeg=80.") }
            routes.qualities[format] = quality
        }
        routes.usesClientHints = try values.isOn("client-hints")
        if let origin = values.text("cors-origin") {
            guard origin.isFieldValue else { throw SettingError("`cors-origin` must be an origin, * or none.") }
            routes.allowedOrigin = origin == "none" ? nil : origin
        }
        routes.savesByDefault = try values.isOn("attachment")
        routes.purgeToken = values.text("purge-token")
        routes.logDescriptor = try values.isOn("no-log") ? nil : 2
    }

    private static func negotiatedFormat(_ name: String) throws(SettingError) -> ImageFormat {
        guard let format = [ImageFormat.jxl, .avif, .webp].first(where: { $0.name == name }) else {
            throw SettingError("`format` must be jxl, avif, webp or none.")
        }
        return format
    }

    private mutating func readConnections(_ values: SettingValues) throws(SettingError) {
        var proxies = TrustedProxies()
        for text in values.texts("trusted-proxy") where !proxies.insert(text) {
            throw SettingError("`trusted-proxy` must be an address, a network such as 10.0.0.0/8, or unix.")
        }
        routes.trustedProxies = values.texts("trusted-proxy")
        routes.clientHeader = values.text("client-header")
        if let time = try values.duration("drain") { drain = time }
        if let time = try values.duration("head-timeout") { connections.headTimeout = time }
        if let time = try values.duration("idle-timeout") { connections.idleTimeout = time }
        if let time = try values.duration("write-timeout") { connections.writeTimeout = time }
        if let count = try values.integer("max-connections", in: 1...1_000_000) { maximumConnections = count }
        switch (values.text("tls-certificate"), values.text("tls-key")) {
        case (nil, nil): break
        case (let certificate?, let key?):
            do {
                connections.certificate = try ServerCertificate(certificateFile: certificate, keyFile: key)
            } catch {
                throw SettingError("The certificate cannot be used: \(error)")
            }
        default: throw SettingError("`tls-certificate` and `tls-key` belong together.")
        }
    }

    // MARK: - Forms

    private static func address(_ text: String) throws(SettingError) -> Address {
        if text.hasPrefix("unix:"), text.utf8.count > 5 { return .unix(String(text.dropFirst(5))) }
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { throw SettingError("`listen` must be HOST:PORT or unix:PATH.") }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        return .host(host.isEmpty ? "0.0.0.0" : host, port: port)
    }

    private static func text(ofFile path: String, for name: String) throws(SettingError) -> String {
        guard let data = try? Data(contentsOf: URL(filePath: path)),
            let text = String(validating: data, as: UTF8.self)
        else { throw SettingError("The file of `\(name)`, \(path), cannot be read.") }
        return text
    }
}
#endif
