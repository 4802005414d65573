import ArgumentParser
import EaselCodecs
import EaselCore
import EaselSandbox
import EaselTransport
import Foundation

/// The options of all commands that load images.
struct LoadingOptions: ParsableArguments {
    @OptionGroup var cacheLocation: CacheLocation

    @Flag(help: "Do not use the disk cache.")
    var noCache = false

    @Option(
        help: ArgumentHelp(
            "When to use cached images: always (forever), by HTTP headers (http), or only cached ones (offline).",
            valueName: "forever|http|offline"))
    var policy = PolicyOption.forever

    @Flag(help: "Revalidate cached images with the server, and download those that changed.")
    var refresh = false

    @Flag(help: "With a size, stop a download once it suffices for that size.")
    var stopWhenSufficient = false

    @Option(help: ArgumentHelp("Maximum number of concurrent downloads per host.", valueName: "count"))
    var concurrency = 6

    @Option(
        help: ArgumentHelp("Fail if a server sends nothing for this long.", valueName: "seconds"))
    var timeout = 15.0

    @Option(help: ArgumentHelp("Maximum total time for an image.", valueName: "seconds"))
    var deadline: Double?

    @Option(help: ArgumentHelp("Maximum number of retries of a failed download.", valueName: "count"))
    var retries = 2

    @Option(help: ArgumentHelp("Reject images with more pixels.", valueName: "count"))
    var maxPixels = 100_000_000

    @Option(help: ArgumentHelp("Reject files with more bytes.", valueName: "count"))
    var maxBytes = 256 << 20

    @Flag(
        name: .customLong("guard"),
        help: "Send requests to public addresses only, not to this machine or the local network.")
    var guardsAddresses = false

    @Option(help: ArgumentHelp("With --guard, allow any address for this host.", valueName: "host"))
    var guardAllow: [String] = []

    @Flag(help: "Accept invalid server certificates. For tests only.")
    var insecure = false

    @Option(
        help: ArgumentHelp("Send a header field, such as \"Accept-Language: de\".", valueName: "name: value"),
        transform: parseHeaderField)
    var header: [HTTPHeaders.Field] = []

    @Option(
        help: ArgumentHelp(
            "Decode in processes without access to files and network: always (require), if the system supports it (prefer), or "
                + "never (off).", valueName: "require|prefer|off"))
    var sandbox = SandboxOption.prefer

    @Flag(help: "Print statistics to standard error: cache hits, requests, bytes, decodes and memory.")
    var stats = false

    @Flag(help: "Print one JSON object per image, and no progress.")
    var json = false

    func validate() throws {
        try require(concurrency >= 1, "--concurrency must be 1 or more.")
        try require(timeout > 0 && timeout <= Self.longestTime, "--timeout must be more than 0 seconds.")
        try require(
            deadline.map { $0 > 0 && $0 <= Self.longestTime } ?? true, "--deadline must be more than 0 seconds.")
        try require(retries >= 0, "--retries must be 0 or more.")
        try require(maxPixels >= 1, "--max-pixels must be 1 or more.")
        try require(maxBytes >= 1, "--max-bytes must be 1 or more.")
    }

    /// Parses `Name: value`.
    static func parseHeaderField(_ text: String) throws -> HTTPHeaders.Field {
        guard let colon = text.firstIndex(of: ":") else { throw ValidationError("It has no colon.") }
        let value = text[text.index(after: colon)...].trimmingBlanks
        let field = HTTPHeaders.Field(name: String(text[..<colon]), value: String(value))
        try HTTPHeaders([field]).check(method: "GET")
        return field
    }

    /// About thirty years. Larger values could overflow.
    private static let longestTime = 1e9

    private func require(_ isTrue: Bool, _ message: String) throws {
        if !isTrue { throw ValidationError(message) }
    }
}

enum SandboxOption: String, CaseIterable, ExpressibleByArgument {
    case require, prefer, off

    /// Returns the built-in coders, with a sandbox. Blocks with `require`, which starts a worker to check the sandbox.
    func coders() throws(ImageError) -> CoderRegistry {
        let coders = CoderRegistry.standard()
        guard let policy = Sandbox.Policy(rawValue: rawValue) else { return coders }
        coders.isolate(in: try Sandbox { $0.policy = policy })
        return coders
    }
}

enum PolicyOption: String, CaseIterable, ExpressibleByArgument {
    case forever, http, offline

    var policy: CachePolicy {
        switch self {
        case .forever: .forever
        case .http: .standard
        case .offline: .offline
        }
    }
}

struct CacheLocation: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Cache folder. Default: $EASEL_CACHE_DIR, else easel in the user's cache folder.",
            valueName: "folder"))
    var cache: String?

    /// Returns the folder, or the default if the user named none. An empty environment variable is ignored.
    func folder(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        defaultFolder: String = ImageCache.defaultFolder
    ) -> String {
        if let cache { return cache }
        let named = environment["EASEL_CACHE_DIR", default: ""]
        return named.isEmpty ? defaultFolder : named
    }

    func validate() throws {
        if cache?.isEmpty == true { throw ValidationError("--cache must name a folder.") }
    }
}
