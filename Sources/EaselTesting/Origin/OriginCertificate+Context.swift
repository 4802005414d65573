#if OriginServerTLS
import EaselCore
import NIOSSL

extension OriginCertificate {
    /// Returns the context shared by the TLS handlers of all connections.
    ///
    /// - Parameter clients: the certificate that clients must present, if any.
    func context(clients: OriginCertificate?) throws(ImageError) -> NIOSSLContext {
        do {
            let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8))
            let key = try NIOSSLPrivateKey(bytes: Array(privateKey.utf8), format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            if let clients {
                configuration.trustRoots = .certificates(
                    try NIOSSLCertificate.fromPEMBytes(Array(clients.certificate.utf8)))
                configuration.certificateVerification = .noHostnameVerification
            }
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .insecure(host: "127.0.0.1", reason: String(describing: error))
        }
    }
}
#endif
