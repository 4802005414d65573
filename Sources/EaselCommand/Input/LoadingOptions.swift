import ArgumentParser
import EaselCore
import Foundation

/// What all commands that load images have in common.
struct LoadingOptions: ParsableArguments {
    @OptionGroup var cacheLocation: CacheLocation

    @Flag(help: "Neither look in the cache on disk nor write to it.")
    var noCache = false

    @Option(
        help: ArgumentHelp(
            "Use what is cached for ever, by what its server said (http), or without asking any server (offline).",
            valueName: "forever|http|offline"))
    var policy = PolicyOption.forever

    @Flag(help: "Ask servers whether what is cached is current, and load anew what is not.")
    var refresh = false

    @Flag(help: "With a size, end a download when what has come of the image suffices for it.")
    var stopWhenSufficient = false

    @Option(help: ArgumentHelp("Load at most this many images at a time from one host.", valueName: "count"))
    var concurrency = 6

    @Option(
        help: ArgumentHelp("Give up on a server after this long without an answer or a byte.", valueName: "seconds"))
    var timeout = 15.0

    @Option(help: ArgumentHelp("Give up on an image after this long in all.", valueName: "seconds"))
    var deadline: Double?

    @Option(help: ArgumentHelp("Try a failed download again this often.", valueName: "count"))
    var retries = 2

    @Option(help: ArgumentHelp("Refuse images with more pixels.", valueName: "count"))
    var maxPixels = 100_000_000

    @Option(help: ArgumentHelp("Refuse files with more bytes.", valueName: "count"))
    var maxBytes = 256 << 20

    @Flag(
        name: .customLong("guard"),
        help: "Send requests to public addresses only: not to this machine, and not into the local network.")
    var guardsAddresses = false

    @Option(help: ArgumentHelp("With --guard, let this host have any address.", valueName: "host"))
    var guardAllow: [String] = []

    @Flag(help: "Accept servers that cannot prove who they are. For tests.")
    var insecure = false

    @Option(help: ArgumentHelp("Send this header field: --header \"Accept-Language: de\".", valueName: "name: value"))
    var header: [HeaderField] = []

    @Flag(help: "End with a line on standard error: cache hits, requests, bytes, decodes and memory.")
    var stats = false

    @Flag(help: "Write one JSON object an image to standard output, and no progress.")
    var json = false

    func validate() throws {
        try require(concurrency >= 1, "--concurrency has to be 1 or more.")
        try require(timeout > 0 && timeout <= Self.longestTime, "--timeout has to be more than 0 seconds.")
        try require(
            deadline.map { $0 > 0 && $0 <= Self.longestTime } ?? true, "--deadline has to be more than 0 seconds.")
        try require(retries >= 0, "--retries has to be 0 or more.")
        try require(maxPixels >= 1, "--max-pixels has to be 1 or more.")
        try require(maxBytes >= 1, "--max-bytes has to be 1 or more.")
    }

    /// More would only overflow somewhere: thirty years.
    private static let longestTime = 1e9

    private func require(_ isTrue: Bool, _ message: String) throws {
        if !isTrue { throw ValidationError(message) }
    }
}

/// What is made of what servers say about keeping their images, as the user names it.
enum PolicyOption: String, CaseIterable, ExpressibleByArgument {
    case forever
    case http
    case offline

    /// The library's name for it.
    var policy: CachePolicy {
        switch self {
        case .forever: .forever
        case .http: .standard
        case .offline: .offline
        }
    }
}

/// Where the cache on disk is.
struct CacheLocation: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Keep the cache in this folder. Default: $EASEL_CACHE_DIR, else easel in the user's folder for caches.",
            valueName: "folder"))
    var cache: String?

    /// The folder, also where the user has named none. An empty variable counts as none.
    func folder(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        usual: String = ImageCache.defaultFolder
    ) -> String {
        if let cache { return cache }
        let named = environment["EASEL_CACHE_DIR", default: ""]
        return named.isEmpty ? usual : named
    }

    func validate() throws {
        if cache?.isEmpty == true { throw ValidationError("--cache has to name a folder.") }
    }
}

/// A header field that the user adds, written `Name: value`.
struct HeaderField: ExpressibleByArgument, Sendable, Hashable {
    /// A token (RFC 9110 5.1).
    let name: String
    /// Without the spaces around it (RFC 9110 5.5).
    let value: String

    /// `nil` where there is no colon, the name is no token, or the value would break out of its line.
    init?(argument: String) {
        guard let colon = argument.firstIndex(of: ":") else { return nil }
        let name = argument[..<colon]
        let value = argument[argument.index(after: colon)...]
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenCharacter),
            value.unicodeScalars.allSatisfy({ $0 == "\t" || ($0.value >= 0x20 && $0.value != 0x7F) })
        else { return nil }
        self.name = String(name)
        let spaces: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        self.value = String(String(value.drop(while: spaces).reversed()).drop(while: spaces).reversed())
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
