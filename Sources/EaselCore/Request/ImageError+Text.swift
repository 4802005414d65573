extension ImageError: CustomStringConvertible {
    /// The name of the case, as scripts match it.
    public var code: String {
        switch self {
        case .invalidURL: "invalidURL"
        case .badData: "badData"
        case .notModified: "notModified"
        case .blocked: "blocked"
        case .invalidRequest: "invalidRequest"
        case .status: "status"
        case .cancelled: "cancelled"
        case .invalidResponse: "invalidResponse"
        case .contentType: "contentType"
        case .unreachable: "unreachable"
        case .timedOut: "timedOut"
        case .insecure: "insecure"
        case .connectionLost: "connectionLost"
        case .tooManyRedirects: "tooManyRedirects"
        case .tooLarge: "tooLarge"
        case .notCached: "notCached"
        case .unreadable: "unreadable"
        case .unwritable: "unwritable"
        case .unsupported: "unsupported"
        case .invalidated: "invalidated"
        case .forbiddenAddress: "forbiddenAddress"
        }
    }

    /// SDWebImage's number for it (X061), or one from 3000 on where SDWebImage has none.
    public var number: Int {
        switch self {
        case .invalidURL: 1000
        case .badData: 1001
        case .notModified: 1002
        case .blocked: 1003
        case .invalidRequest: 2000
        case .status: 2001
        case .cancelled: 2002
        case .invalidResponse: 2003
        case .contentType: 2004
        case .unreachable: 3000
        case .timedOut: 3001
        case .insecure: 3002
        case .connectionLost: 3003
        case .tooManyRedirects: 3004
        case .tooLarge: 3005
        case .notCached: 3006
        case .unreadable: 3007
        case .unwritable: 3008
        case .unsupported: 3009
        case .invalidated: 3010
        case .forbiddenAddress: 3011
        }
    }

    /// What happened and what to do about it, in a sentence or two.
    public var description: String {
        switch self {
        case .invalidURL(let what):
            "\(what) Give a whole URL that begins with http:, https:, file: or data:."
        case .badData(let what):
            what
        case .notModified:
            "The picture has not changed; the cached one is current."
        case .blocked(let reason):
            "This URL failed a short while ago and is not tried again yet: \(reason) Ask with retryFailed to try at once."
        case .invalidRequest(let what):
            "The request was not sent: \(what)"
        case .status(let status):
            Self.describe(status: status)
        case .cancelled:
            "The load was cancelled."
        case .invalidResponse(let what):
            "The server's answer cannot be used: \(what)"
        case .contentType(let type):
            "The server sent \(type), which this request does not accept. Check the URL, or accept that type."
        case .unreachable(let host, let reason):
            "\(host) cannot be reached: \(reason). Check the host's name and the network."
        case .timedOut(let phase):
            Self.describe(timeout: phase)
        case .insecure(let host, let reason):
            "No secure connection to \(host): \(reason). Check the host's certificate and this machine's clock."
        case .connectionLost(let received, let expected):
            "The connection broke after \(received) \(expected.map { "of \($0) " } ?? "")bytes. Try again."
        case .tooManyRedirects(let count):
            "The server redirected \(count) times without an answer. Check the URL in a browser."
        case .tooLarge(let excess):
            Self.describe(excess: excess)
        case .notCached:
            "The picture is not in the cache, and the request allows no other source."
        case .unreadable(let path, let reason):
            "\(path) cannot be read: \(reason)."
        case .unwritable(let path, let reason):
            "\(path) cannot be written: \(reason). Check the permissions and the free space."
        case .unsupported(let what):
            what
        case .invalidated:
            "The image manager was shut down. Make a new one."
        case .forbiddenAddress(let host, let reason):
            "\(host) is not allowed: \(reason). If it is to be, make an exception in the downloader's guard."
        }
    }

    private static func describe(status: Int) -> String {
        switch status {
        case 401, 407: "The server asks for credentials (status \(status)). Give the request an Authorization header."
        case 403: "The server refuses this picture (status 403). Check that you may see it."
        case 404, 410: "There is no picture at this address (status \(status)). Check the URL."
        case 429: "The server asks for fewer requests (status 429). Try again later."
        case 500...: "The server failed (status \(status)). Try again later."
        default: "The server answered with status \(status) instead of a picture."
        }
    }

    private static func describe(timeout: Timeout) -> String {
        switch timeout {
        case .connect: "The server did not answer in time. Try again, or allow a longer timeout."
        case .idle: "The server stopped sending. Try again, or allow a longer timeout."
        case .total: "The load took longer than its deadline. Try again, or allow a longer deadline."
        }
    }

    private static func describe(excess: Excess) -> String {
        switch excess {
        case .pixels(let size, let limit):
            "The picture has \(size) pixels, over the limit of \(limit). Raise the limit if you trust it."
        case .bytes(let count, let limit):
            "The file has \(count) bytes or more, over the limit of \(limit). Raise the limit if you trust it."
        case .frames(let count, let limit):
            "The animation has \(count) frames, over the limit of \(limit). Raise the limit if you trust it."
        case .time(let limit):
            "The picture takes longer to decode than the limit of \(limit). Raise the limit if you trust it."
        }
    }
}
