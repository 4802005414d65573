#if Server
import EaselFoundation
import NIOCore
import NIOSSL
import Synchronization

/// A certificate chain and its key in two files, which can be replaced while the server runs.
public final class ServerCertificate: Sendable {
    private struct Loaded {
        var chain: [NIOSSLCertificateSource]
        var key: NIOSSLPrivateKeySource
    }

    private let certificateFile: String
    private let keyFile: String
    private let loaded: Mutex<Loaded>

    /// Reads the files, in the form PEM. Blocks.
    ///
    /// - Throws: An error if they cannot be read or do not belong together.
    public init(certificateFile: String, keyFile: String) throws {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        loaded = Mutex(try Self.load(certificateFile, keyFile))
    }

    /// Reads the files again, for new connections. Blocks. The previous certificate stays if that fails.
    ///
    /// - Throws: An error if they cannot be read or do not belong together.
    public func reload() throws {
        let new = try Self.load(certificateFile, keyFile)
        loaded.withLock { $0 = new }
    }

    private static func load(_ certificateFile: String, _ keyFile: String) throws -> Loaded {
        let chain = try NIOSSLCertificate.fromPEMFile(certificateFile).map { NIOSSLCertificateSource.certificate($0) }
        let key = NIOSSLPrivateKeySource.privateKey(try NIOSSLPrivateKey(file: keyFile, format: .pem))
        // Fails if the key is another certificate's.
        _ = try NIOSSLContext(configuration: .makeServerConfiguration(certificateChain: chain, privateKey: key))
        return Loaded(chain: chain, key: key)
    }

    /// Returns a configuration that uses the current certificate for each connection.
    func tlsConfiguration() -> TLSConfiguration {
        let current = loaded.withLock { $0 }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: current.chain, privateKey: current.key)
        configuration.minimumTLSVersion = .tlsv12
        configuration.sslContextCallback = { [self] _, promise in
            let current = loaded.withLock { $0 }
            var override = NIOSSLContextConfigurationOverride()
            override.certificateChain = current.chain
            override.privateKey = current.key
            promise.succeed(override)
        }
        return configuration
    }
}
#endif
