internal import CEaselCurl

/// What this process's libcurl is and can.
enum Libcurl {
    /// Whether libcurl is set up, which happens once a process, at the first question.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Whether libcurl knows one file with all certificates. Its folder of them can be left out then: OpenSSL would
    /// parse everything anew for each connection, at 30 ms and more.
    static let hasCertificateFile = easel_curl_has_certificate_file()
}
