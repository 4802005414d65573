import EaselCore
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if canImport(Security)
import Security
#endif

/// Functions that verify servers according to the settings of a request.
enum ServerTrust {
    /// Returns the certificates that a request trusts instead of the system's, or `nil` for the system's.
    ///
    /// - Throws: `ImageError.unreadable` if the file cannot be read or has no certificates, `.unsupported` if the
    ///   system cannot verify custom certificates.
    static func anchors(for request: HTTPRequest) async throws(ImageError) -> [Data]? {
        #if canImport(Security)
        guard let path = request.security.trustedCertificateFile else { return nil }
        let text = await WorkerPool.reads.run { try? String(contentsOfFile: path, encoding: .utf8) }
        guard let text else { throw .unreadable(path: path, reason: "it is not readable text") }
        let certificates = PEMCertificates.data(in: text)
        guard !certificates.isEmpty else {
            throw .unreadable(path: path, reason: "it contains no PEM certificate")
        }
        return certificates
        #else
        guard request.security.trustedCertificateFile == nil, !request.allowsInvalidCertificates else {
            throw .unsupported("URLSession does not support custom trust here. Use CurlTransport.")
        }
        return nil
        #endif
    }

    /// Returns the response to a server certificate, or `nil` for another kind of challenge.
    static func respond(
        to challenge: URLAuthenticationChallenge, _ exchange: SessionExchange?
    ) -> (URLSession.AuthChallengeDisposition, URLCredential?)? {
        #if canImport(Security)
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust else { return nil }
        guard let exchange, let trust = challenge.protectionSpace.serverTrust else {
            return (.performDefaultHandling, nil)
        }
        if exchange.request.allowsInvalidCertificates { return (.useCredential, URLCredential(trust: trust)) }
        guard let anchors = exchange.anchors else { return (.performDefaultHandling, nil) }
        let certificates = anchors.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        SecTrustSetAnchorCertificates(trust, certificates as CFArray)
        SecTrustSetAnchorCertificatesOnly(trust, true)
        guard SecTrustEvaluateWithError(trust, nil) else {
            exchange.rejectServer("its certificate is not signed by one that the request trusts")
            return (.cancelAuthenticationChallenge, nil)
        }
        return (.useCredential, URLCredential(trust: trust))
        #else
        return nil
        #endif
    }
}

/// The certificates of a file in PEM form (RFC 7468).
enum PEMCertificates {
    /// Returns the certificates (DER) in order. Skips other content.
    static func data(in text: String) -> [Data] {
        var certificates: [Data] = []
        var lines: [Substring]?
        for line in text.split(whereSeparator: \.isNewline) {
            switch line {
            case "-----BEGIN CERTIFICATE-----": lines = []
            case "-----END CERTIFICATE-----":
                if let data = lines.flatMap({ Data(base64Encoded: $0.joined()) }) { certificates.append(data) }
                lines = nil
            default: lines?.append(line)
            }
        }
        return certificates
    }
}
