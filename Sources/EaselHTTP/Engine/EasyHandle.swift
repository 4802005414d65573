internal import CEaselCurl
internal import EaselCore
internal import EaselTransport

/// A libcurl easy handle, with the memory that libcurl accesses during a transfer.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private let message: UnsafeMutablePointer<CChar>
    private var headers: UnsafeMutablePointer<curl_slist>?

    /// Returns `nil` if memory runs out.
    init?(headers lines: [String]) {
        guard let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        for line in lines {
            guard let longer = curl_slist_append(headers, line) else { return nil }
            headers = longer
        }
        set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(message))
        set(CURLOPT_HTTPHEADER, UnsafeMutableRawPointer(headers))
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(headers)
        message.deallocate()
    }

    // Options fail only if memory runs out or an older libcurl lacks them. Only the URL is required.

    func set(_ option: CURLoption, _ value: Int) { easel_curl_set_long(pointer, option, value) }
    func set(_ option: CURLoption, _ value: Bool) { easel_curl_set_long(pointer, option, value ? 1 : 0) }
    func set(_ option: CURLoption, _ value: String?) { easel_curl_set_string(pointer, option, value) }
    func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) { easel_curl_set_pointer(pointer, option, value) }

    func long(_ information: CURLINFO) -> Int {
        var value = 0
        easel_curl_get_long(pointer, information, &value)
        return value
    }

    /// libcurl's description of the failure; empty if there is none.
    var failureText: String { String(cString: message) }

    /// The time to connect, TLS included; `nil` for a reused connection.
    var connectTime: Duration? {
        guard long(CURLINFO_NUM_CONNECTS) > 0 else { return nil }
        let times = [CURLINFO_CONNECT_TIME_T, CURLINFO_APPCONNECT_TIME_T].map { information in
            var value = 0
            easel_curl_get_microseconds(pointer, information, &value)
            return value
        }
        // The second time is 0 without TLS.
        return .microseconds(times.max() ?? 0)
    }
}

extension EasyHandle {
    /// The maximum size of a read, and of libcurl's buffer for a transfer.
    private static let readSize = 32 << 10
    /// Whether libcurl has a single file with all certificates. It then needs no certificate folder, which OpenSSL
    /// takes 30 ms or more to parse for each connection.
    private static let hasCertificateFile = easel_curl_has_certificate_file()

    /// Sets all options of a transfer. Redirects, cookies, netrc, alt-svc, HSTS and content decoding are off by
    /// default.
    func configure(
        for exchange: Exchange, settings: TransportSettings, share: UnsafeMutableRawPointer, isFresh: Bool
    ) {
        set(CURLOPT_URL, exchange.url.text)
        set(CURLOPT_FRESH_CONNECT, isFresh)
        configureMethod(exchange.head.method)
        if let body = exchange.request.body { configureBody(body) }
        configureConnection(isSecure: exchange.url.isSecure)
        configureProxy(exchange.request.requiresPublicAddress ? .none : settings.proxy)
        configureTLS(verifies: !exchange.request.allowsInvalidCertificates, share: share)
        configureSecurity(exchange.request.security)
        configureCredential(exchange.request.credential)
        set(CURLOPT_BUFFERSIZE, Self.readSize)
        // Easel has its own timers. libcurl's default is 300 s, including the wait for a connection.
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
    }

    private func configureMethod(_ method: String) {
        switch method {
        case "GET": set(CURLOPT_HTTPGET, true)
        // Required so that libcurl expects no body, whatever the length.
        case "HEAD": set(CURLOPT_NOBODY, true)
        default: set(CURLOPT_CUSTOMREQUEST, method)
        }
    }

    /// Sets the body, which libcurl copies. The method is already set, so that libcurl does not use POST.
    private func configureBody(_ body: [UInt8]) {
        set(CURLOPT_POSTFIELDSIZE, body.count)
        body.withUnsafeBytes { bytes in
            // libcurl takes no body for a null pointer, which an empty array may have.
            withUnsafeBytes(of: UInt8(0)) { empty in
                let start = bytes.baseAddress ?? empty.baseAddress
                set(CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: start))
            }
        }
    }

    private func configureConnection(isSecure: Bool) {
        easel_curl_allow_http_only(pointer)
        // CURLOPT_QUICK_EXIT, documented for programs about to exit. Without it, removing a transfer during its name
        // lookup, as every cancellation and timeout does, waits for getaddrinfo and so stops all other transfers. With
        // it, libcurl detaches the thread of the lookup, which then frees its own memory (lib/asyn-thread.c in 7.88).
        easel_curl_abandon_lookups(pointer)
        // Signals belong to the application. SIGPIPE, which TLS libraries can raise, is blocked on libcurl's thread.
        set(CURLOPT_NOSIGNAL, true)
        // A proxy's response to CONNECT is not the server's response.
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Waits for a connection that may become HTTP/2 instead of opening another one. Requires TLS.
        set(CURLOPT_PIPEWAIT, isSecure)
    }

    private func configureTLS(verifies: Bool, share: UnsafeMutableRawPointer) {
        set(CURLOPT_SSL_VERIFYPEER, verifies)
        set(CURLOPT_SSL_VERIFYHOST, verifies ? 2 : 0)
        set(CURLOPT_SHARE, share)
        if Self.hasCertificateFile { set(CURLOPT_CAPATH, nil as String?) }
    }

    private func configureProxy(_ proxy: HTTPProxy) {
        switch proxy {
        // libcurl reads http_proxy, https_proxy, ALL_PROXY and no_proxy.
        case .environment: break
        case .none: set(CURLOPT_PROXY, "")
        case .url(let url): set(CURLOPT_PROXY, url)
        }
    }

    /// Sets the certificate files. libcurl does not reuse a connection that was made with other files.
    private func configureSecurity(_ security: HTTPSecurity) {
        if let file = security.trustedCertificateFile {
            set(CURLOPT_CAINFO, file)
            set(CURLOPT_CAPATH, nil as String?)
        }
        if let certificate = security.clientCertificate {
            set(CURLOPT_SSLCERT, certificate.certificateFile)
            set(CURLOPT_SSLKEY, certificate.keyFile)
            set(CURLOPT_KEYPASSWD, certificate.password)
        }
    }

    /// Sets a digest credential. Other credentials are already in a header.
    private func configureCredential(_ credential: HTTPCredential?) {
        guard case .digest(let user, let password) = credential else { return }
        set(CURLOPT_HTTPAUTH, Int(bitPattern: easel_curl_digest_authentication))
        set(CURLOPT_USERNAME, user)
        set(CURLOPT_PASSWORD, password)
    }
}
