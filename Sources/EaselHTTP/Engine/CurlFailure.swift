internal import CEaselCurl
internal import EaselCore

/// How libcurl ended a transfer that failed, and what that means to a person.
struct CurlFailure {
    let code: CURLcode
    /// Host and port, without user and password.
    let host: String
    /// libcurl's own words; they may quote the server.
    let message: String
    /// The system's error number where connecting failed, or 0.
    let systemError: Int32
    /// Bytes of the body that came.
    let received: Int
    /// Bytes that were announced.
    let expected: Int?

    /// The error of the library that it is.
    var error: ImageError {
        switch code {
        case CURLE_URL_MALFORMAT:
            .invalidURL("The URL is malformed.")
        case CURLE_COULDNT_RESOLVE_HOST:
            .unreachable(host: host, reason: "no address is known for this name")
        case CURLE_COULDNT_RESOLVE_PROXY:
            .unreachable(host: host, reason: "no address is known for the proxy that the environment names")
        case CURLE_COULDNT_CONNECT:
            .unreachable(host: host, reason: systemReason ?? "nothing answers there")
        case CURLE_PROXY:
            .unreachable(host: host, reason: "the proxy that the environment names refuses")
        // Every other time limit is Easel's own.
        case CURLE_OPERATION_TIMEDOUT:
            .timedOut(.connect)
        case _ where Self.tlsCodes.contains(code.rawValue):
            .insecure(host: host, reason: reason)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            .connectionLost(received: received, expected: expected)
        // libcurl has a bound of its own to the lines of a head, and this name for it.
        case CURLE_OUT_OF_MEMORY:
            .invalidResponse("it takes more memory than there is for one.")
        case easel_curl_too_large:
            .invalidResponse("its head is too long.")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            .invalidResponse("it is not HTTP.")
        case CURLE_BAD_CONTENT_ENCODING, CURLE_FILESIZE_EXCEEDED:
            .invalidResponse("its body is malformed.")
        default:
            .unreachable(host: host, reason: reason)
        }
    }

    private static let tlsCodes: Set<UInt32> = Set(
        [
            CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED,
        ].map(\.rawValue))

    /// libcurl's words, or the meaning of its code where it has none.
    private var reason: String {
        let text = message.isEmpty ? String(cString: curl_easy_strerror(code)) : message
        return text.printable
    }

    private var systemReason: String? {
        systemError == 0 ? nil : SystemError(number: systemError).reason
    }
}

extension String {
    /// The text as a terminal may show it: printable ASCII only, and not too much of it. A server can have its words
    /// in an error message.
    var printable: String {
        let limit = 200
        let bytes = utf8.prefix(limit).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
