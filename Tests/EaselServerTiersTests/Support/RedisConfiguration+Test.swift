#if Server
import EaselServerTiers
import TestSupport

let redisIsInstalled = ServerScript.areInstalled("redis-server", "redis-cli")

extension RedisConfiguration {
    /// Limits that hold on a machine that is busy with other tests.
    static func test(_ ports: Int...) -> RedisConfiguration {
        var configuration = RedisConfiguration(servers: ports.map { RedisAddress(host: "127.0.0.1", port: $0) })
        configuration.commandLimit = .seconds(1)
        configuration.connectLimit = .seconds(2)
        return configuration
    }
}
#endif
