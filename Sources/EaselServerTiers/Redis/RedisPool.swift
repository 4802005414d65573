#if Server
import NIOSSL
import Synchronization

/// The connections to one server.
final class RedisPool: Sendable {
    private typealias State = PoolState<RedisCall, RedisConnection>

    let address: RedisAddress
    private let configuration: RedisConfiguration
    private let security: NIOSSLContext?
    private let state: Mutex<State>

    init(_ address: RedisAddress, _ configuration: RedisConfiguration, security: NIOSSLContext?) {
        self.address = address
        self.configuration = configuration
        self.security = security
        state = Mutex(
            State(size: configuration.connectionsPerServer, callsPerConnection: configuration.callsPerConnection))
    }

    deinit { shutDown() }

    /// Executes commands on one connection, in order and without other commands between them.
    func execute(_ commands: [RedisCommand]) async throws(TierError) -> [RedisReply] {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<[RedisReply], TierError>, Never>) in
            let call = RedisCall(commands: commands, limit: configuration.commandLimit) {
                continuation.resume(returning: $0)
            }
            change { $0.submit(call) }
        }
        return try result.get()
    }

    func shutDown() { change { $0.shutDown() } }

    private func change(_ change: (inout State) -> [State.Action]) {
        // Actions run outside of the lock, because they can call back at once.
        for action in state.withLock({ change(&$0) }) { perform(action) }
    }

    private func perform(_ action: State.Action) {
        switch action {
        case .open(let number): open(number)
        case .send(let call, let connection, let number):
            let counted = RedisCall(commands: call.commands, limit: call.limit) { [weak self] result in
                self?.change {
                    $0.didFinish(number)
                    return []
                }
                call.finish(result)
            }
            connection.send(counted)
        case .fail(let call, let error): call.finish(.failure(error))
        case .close(let connection): connection.close()
        }
    }

    private func open(_ number: Int) {
        Task { [weak self, address, configuration, security] in
            do throws(TierError) {
                let connection = try await RedisConnection.open(address, configuration, security: security)
                guard let self else { return connection.close() }
                change { $0.didOpen(number, connection) }
                // Afterwards, so that a connection which is closed already is removed.
                connection.onClose { [weak self] in
                    self?.change {
                        $0.didClose(number)
                        return []
                    }
                }
            } catch {
                self?.change { $0.didFailToOpen(number, error) }
            }
        }
    }
}
#endif
