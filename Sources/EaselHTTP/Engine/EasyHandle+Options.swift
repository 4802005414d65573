internal import CEaselCurl
internal import EaselCore

extension EasyHandle {
    /// The most bytes of one read, and the size of the buffer that libcurl allocates for a transfer.
    private static let readSize = 32 << 10
    /// Whether libcurl has one file with all certificates. Then it does not need the folder of them, which OpenSSL parses for
    /// each connection in 30 ms and more.
    private static let hasCertificateFile = easel_curl_has_certificate_file()

    /// Sets every option of a transfer. What is not set here stays off, as libcurl has it: redirects, cookies, netrc,
    /// alt-svc, HSTS, content decoding.
    func configure(
        for exchange: Exchange, settings: TransportSettings, share: UnsafeMutableRawPointer, isFresh: Bool
    ) {
        set(CURLOPT_URL, exchange.url.text)
        set(CURLOPT_FRESH_CONNECT, isFresh)
        configureMethod(exchange.head.method)
        configureConnection(isSecure: exchange.url.isSecure)
        configureProxy(exchange.request.requiresPublicAddress ? .none : settings.proxy)
        configureTLS(verifies: !exchange.request.allowsInvalidCertificates, share: share)
        configureSecurity(exchange.request.security)
        configureCredential(exchange.request.credential)
        set(CURLOPT_BUFFERSIZE, Self.readSize)
        // Easel has timers of its own. Without this, libcurl's are 300 s from the start, the wait for a connection included.
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
    }

    private func configureMethod(_ method: String) {
        switch method {
        case "GET": set(CURLOPT_HTTPGET, true)
        // Only so does libcurl know that no body follows, whatever the length says.
        case "HEAD": set(CURLOPT_NOBODY, true)
        default: set(CURLOPT_CUSTOMREQUEST, method)
        }
    }

    private func configureConnection(isSecure: Bool) {
        easel_curl_allow_http_only(pointer)
        easel_curl_abandon_lookups(pointer)
        // Signals belong to the application. SIGPIPE, which a TLS library may raise, is blocked on libcurl's thread.
        set(CURLOPT_NOSIGNAL, true)
        // A proxy's answer to CONNECT is no answer of the server's.
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Waits for a connection that is about to be HTTP/2 instead of opening one more. Without TLS nothing will be.
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
        // As libcurl does it: http_proxy, https_proxy, ALL_PROXY and no_proxy.
        case .environment: break
        case .none: set(CURLOPT_PROXY, "")
        case .url(let url): set(CURLOPT_PROXY, url)
        }
    }

    /// libcurl uses no kept connection that was made with other files.
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

    /// Digest alone: what else there is, is a header already.
    private func configureCredential(_ credential: HTTPCredential?) {
        guard case .digest(let user, let password) = credential else { return }
        set(CURLOPT_HTTPAUTH, Int(bitPattern: easel_curl_digest_authentication))
        set(CURLOPT_USERNAME, user)
        set(CURLOPT_PASSWORD, password)
    }
}
