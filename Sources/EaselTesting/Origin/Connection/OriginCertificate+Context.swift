#if OriginServerTLS
import EaselCore
import NIOSSL

extension OriginCertificate {
    /// What the TLS handlers of all connections share.
    func context() throws(ImageError) -> NIOSSLContext {
        do {
            let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8))
            let key = try NIOSSLPrivateKey(bytes: Array(privateKey.utf8), format: .pem)
            let configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .insecure(host: "127.0.0.1", reason: String(describing: error))
        }
    }
}
#endif
