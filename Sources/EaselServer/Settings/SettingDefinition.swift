#if Server
/// A setting of the image server, with the same name as a flag, in the environment and in a file.
package struct SettingDefinition: Sendable {
    /// The name, such as `max-pixels`.
    package var name: String
    /// A word for the value in the help.
    package var valueName: String
    /// Whether the setting can have several values. In the environment they are separated by commas.
    package var isList = false
    /// Whether the value is a secret, which is not printed.
    package var isSecret = false
    /// Whether the setting is a switch without a value.
    package var isSwitch = false
    package var help: String

    /// The name of the variable of the environment.
    package var variable: String {
        "EASEL_SERVE_" + name.uppercased().map { $0 == "-" ? "_" : $0 }
    }

    private init(
        _ name: String, _ valueName: String, isList: Bool = false, isSecret: Bool = false, isSwitch: Bool = false,
        _ help: String
    ) {
        self.name = name
        self.valueName = valueName
        self.isList = isList
        self.isSecret = isSecret
        self.isSwitch = isSwitch
        self.help = help
    }

    private static func list(_ name: String, _ valueName: String, isSecret: Bool = false, _ help: String) -> Self {
        Self(name, valueName, isList: true, isSecret: isSecret, help)
    }

    private static func flag(_ name: String, _ help: String) -> Self { Self(name, "", isSwitch: true, help) }

    /// All settings, in the order of the help.
    package static let all: [SettingDefinition] = [
        Self("listen", "address", "HOST:PORT, or unix:PATH. Port 0 takes a free one."),
        .list("key", "hex", isSecret: true, "Key of signatures in hexadecimal digits. Several allow a rotation."),
        .list("salt", "hex", isSecret: true, "Salt of signatures, one for each key."),
        Self("signature-size", "bytes", "Length of signatures, from 8 to 32."),
        .flag("allow-unsigned", "Accept URLs without a signature, with `unsafe` instead."),
        .list("allow-source", "prefix", "Accept only sources that begin with this, such as https://cdn.example.com/."),
        .list("allow-private", "host", "Load from this host although its address is private."),
        .list("allow-option", "name", "Accept only these options in URLs."),
        .flag("allow-limits", "URLs may set limits, such as max_src_resolution."),
        Self("local-root", "folder", "Folder of sources with the scheme local."),
        Self("presets", "file", "File of presets, a line NAME=OPTIONS each."),
        .flag("only-presets", "Accept only names of presets in URLs."),
        Self("cache", "folder", "Folder for results and sources on disk."),
        Self("cache-size", "MB", "Size of results on disk, and again of sources."),
        Self("memory", "MB", "Size of results in memory."),
        Self("shared", "redis://...", isSecret: true, "Redis or Valkey that several servers share."),
        Self("results", "s3://...", "Bucket and prefix for results that several servers share."),
        Self("s3-endpoint", "url", "Endpoint of the bucket."),
        Self("s3-region", "name", "Region of the bucket."),
        Self("s3-access-key", "text", isSecret: true, "Access key of the bucket. Default: AWS_ACCESS_KEY_ID."),
        Self("s3-secret-key", "text", isSecret: true, "Secret key of the bucket. Default: AWS_SECRET_ACCESS_KEY."),
        Self("max-pixels", "count", "Reject sources with more pixels."),
        Self("max-bytes", "count", "Reject sources with more bytes."),
        Self("max-frames", "count", "Reject animations with more frames."),
        Self("max-result-pixels", "count", "Reject results with more pixels."),
        Self("timeout", "seconds", "Fail if a source sends nothing for this long."),
        Self("deadline", "seconds", "Longest time of a request."),
        Self("queue", "count", "Requests that wait. Further ones are answered with 503."),
        Self("concurrency", "count", "Results that are made at a time."),
        Self("work-memory", "MB", "Size of pixels in work."),
        Self("max-connections", "count", "Open connections. Further ones wait."),
        Self("ttl", "seconds", "Lifetime of all results, whatever their sources say."),
        Self("default-ttl", "seconds", "Lifetime of results whose source has none."),
        Self("stale-while-revalidate", "seconds", "Time for which a stale result is used while it is made again."),
        .list("format", "name", "Formats to choose by Accept, the best first: jxl, avif, webp."),
        .list("quality", "format=N", "Quality of a format, from 1 to 100."),
        .flag("client-hints", "Apply the client hints DPR and Width."),
        Self("watermark", "file", "Image of the option watermark."),
        Self("fallback", "source", "Source that is used instead of one that fails."),
        Self("cors-origin", "origin", "Value of Access-Control-Allow-Origin. `none` sends none."),
        .flag("attachment", "Browsers save images instead of showing them."),
        .list("trusted-proxy", "network", "Believe X-Forwarded-For of these addresses; `unix` for a Unix socket."),
        Self("client-header", "name", "Header by which trusted proxies identify clients."),
        Self("purge-token", "text", isSecret: true, "Token that PURGE needs."),
        Self("tls-certificate", "file", "Certificate chain for TLS and HTTP/2, in PEM."),
        Self("tls-key", "file", "Key of the certificate, in PEM."),
        Self("sandbox", "policy", "Decode in a sandbox: require, prefer or off."),
        Self("drain", "seconds", "Longest time to finish requests after SIGTERM."),
        Self("head-timeout", "seconds", "Longest time for a TLS handshake, and for the head of a request."),
        Self("idle-timeout", "seconds", "Longest time between requests of a connection."),
        Self("write-timeout", "seconds", "Longest time in which a client reads nothing of its response."),
        .flag("no-log", "Write no line for each request to standard error."),
    ]
}
#endif
