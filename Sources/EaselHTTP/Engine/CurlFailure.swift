internal import CEaselCurl
internal import EaselCore

/// A failure that libcurl reports, and its user-facing error.
struct CurlFailure {
    let code: CURLcode
    /// The host and port, without user and password.
    let host: String
    /// libcurl's message, which can quote the server.
    let message: String
    /// The system's error number if connecting failed, or 0.
    let systemError: Int32
    let received: Int
    let expected: Int?

    var error: ImageError {
        switch code {
        case CURLE_URL_MALFORMAT:
            .invalidURL("The URL is malformed.")
        case CURLE_COULDNT_RESOLVE_HOST:
            .unreachable(host: host, reason: "no address is known for this name")
        case CURLE_COULDNT_RESOLVE_PROXY:
            .unreachable(host: host, reason: "no address is known for the proxy of the environment")
        case CURLE_COULDNT_CONNECT:
            .unreachable(host: host, reason: systemReason ?? "no server answers at this address")
        case CURLE_PROXY:
            .unreachable(host: host, reason: "the proxy of the environment refused the connection")
        // libcurl implements only this timeout; Easel implements all others.
        case CURLE_OPERATION_TIMEDOUT:
            .timedOut(.connect)
        case _ where Self.tlsCodes.contains(code.rawValue):
            .insecure(host: host, reason: reason)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            .connectionLost(received: received, expected: expected)
        // libcurl reports this code when a header line exceeds its own limit.
        case CURLE_OUT_OF_MEMORY:
            .invalidResponse("its head is too long, or there is not enough memory.")
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

    /// The message of libcurl, or the description of its code if there is none.
    private var reason: String {
        let text = message.isEmpty ? String(cString: curl_easy_strerror(code)) : message
        return text.printable
    }

    private var systemReason: String? {
        systemError == 0 ? nil : SystemError(number: systemError).reason
    }
}

extension String {
    /// The text in printable ASCII, limited in length, since servers can put text into error messages.
    var printable: String {
        let limit = 200
        let bytes = utf8.prefix(limit).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
