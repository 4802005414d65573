#if Server
import NIOCore
import NIOPosix
import NIOSSL

/// A connection to one server, which has answered a PING.
final class RedisConnection: Sendable {
    private let channel: any Channel
    private let handler: NIOLoopBound<RedisChannelHandler>

    private init(_ channel: any Channel, _ handler: RedisChannelHandler) {
        self.channel = channel
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    }

    func send(_ call: RedisCall) { channel.eventLoop.execute { [handler] in handler.value.send(call) } }

    func close() { channel.eventLoop.execute { [handler] in handler.value.end(.shutDown) } }

    /// Calls `body` after the connection is closed, also if it is already.
    func onClose(_ body: @escaping @Sendable () -> Void) { channel.closeFuture.whenComplete { _ in body() } }

    /// Opens a connection with AUTH and SELECT, and checks it by PING, because a system accepts connections for a
    /// server that is stopped.
    static func open(
        _ address: RedisAddress, _ configuration: RedisConfiguration, security: NIOSSLContext?
    ) async throws(TierError) -> RedisConnection {
        let connection: RedisConnection
        do {
            connection = try await connect(to: address, configuration, security: security)
        } catch {
            throw TierError(.unreachable, "\(address) cannot be reached: \("\(error)".readable)")
        }
        let replies = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<[RedisReply], TierError>, Never>) in
            let call = RedisCall(commands: configuration.openingCommands, limit: configuration.connectLimit) {
                continuation.resume(returning: $0)
            }
            connection.send(call)
        }
        do throws(TierError) {
            for reply in try replies.get() { _ = try reply.orError() }
        } catch {
            connection.close()
            throw error
        }
        return connection
    }

    private static func connect(
        to address: RedisAddress, _ configuration: RedisConfiguration, security: NIOSSLContext?
    ) async throws -> RedisConnection {
        let verifiesHost = configuration.security?.verifiesHost ?? true
        return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
            .connectTimeout(TimeAmount(configuration.connectLimit))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let security {
                        // TLS has no server name for an address.
                        let name = verifiesHost && !address.isNumeric ? address.host : nil
                        try pipeline.addHandler(NIOSSLClientHandler(context: security, serverHostname: name))
                    }
                    try pipeline.addHandler(RedisChannelHandler())
                }
            }
            .connect(host: address.host, port: address.port)
            .flatMapThrowing { channel in
                let handler = try channel.pipeline.syncOperations.handler(type: RedisChannelHandler.self)
                return RedisConnection(channel, handler)
            }
            .get()
    }
}

extension RedisAddress {
    /// Whether the host is an IP address and not a name.
    fileprivate var isNumeric: Bool { (try? SocketAddress(ipAddress: host, port: port)) != nil }
}

extension RedisConfiguration {
    /// The commands with which a connection begins.
    fileprivate var openingCommands: [RedisCommand] {
        var commands: [RedisCommand] = []
        if let password {
            commands.append(user.map { RedisCommand("AUTH", $0, password) } ?? RedisCommand("AUTH", password))
        }
        if database != 0 { commands.append(RedisCommand("SELECT", String(database))) }
        return commands + [.ping]
    }

    /// Reads the certificates. Blocks, so it is called when a client is created.
    ///
    /// - Throws: `TierError.invalidConfiguration`.
    func securityContext() throws(TierError) -> NIOSSLContext? {
        guard let security else { return nil }
        do {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.minimumTLSVersion = .tlsv12
            if let file = security.trustedCertificateFile { tls.trustRoots = .file(file) }
            if !security.verifiesHost { tls.certificateVerification = .noHostnameVerification }
            if let certificate = security.certificateFile, let key = security.keyFile {
                tls.certificateChain = try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) }
                tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
            }
            return try NIOSSLContext(configuration: tls)
        } catch {
            throw TierError(.invalidConfiguration, "The certificates cannot be used: \("\(error)".readable)")
        }
    }
}
#endif
