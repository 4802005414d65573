#if Server
public import EaselFoundation
import NIOCore

/// A command for a Redis or Valkey server.
public struct RedisCommand: Sendable, Hashable {
    /// The name of the command and its arguments.
    public var arguments: [Data]
    /// The key that determines the server of a cluster; `nil` for any server.
    public var key: String?

    /// Creates a command.
    public init(_ arguments: [Data], key: String? = nil) {
        self.arguments = arguments
        self.key = key
    }

    /// Creates a command of texts.
    init(_ words: String..., key: String? = nil) { self.init(words.map { Data($0.utf8) }, key: key) }

    /// Appends the command in RESP2 to a buffer: an array of strings.
    func write(to buffer: inout ByteBuffer) {
        buffer.writeString("*\(arguments.count)\r\n")
        for argument in arguments {
            buffer.writeString("$\(argument.count)\r\n")
            buffer.writeBytes(argument)
            buffer.writeString("\r\n")
        }
    }
}

extension RedisCommand {
    static let ping = RedisCommand("PING")

    static func get(_ key: String) -> RedisCommand { RedisCommand("GET", key, key: key) }

    static func set(_ key: String, _ value: Data, milliseconds: Int) -> RedisCommand {
        var command = RedisCommand("SET", key, key: key)
        command.arguments += [value, Data("PX".utf8), Data(String(milliseconds).utf8)]
        return command
    }

    static func setIfAbsent(_ key: String, _ value: String, milliseconds: Int) -> RedisCommand {
        RedisCommand("SET", key, value, "NX", "PX", String(milliseconds), key: key)
    }

    /// Removes a key. The server frees its memory in the background.
    static func unlink(_ key: String) -> RedisCommand { RedisCommand("UNLINK", key, key: key) }

    static func expire(_ key: String, milliseconds: Int) -> RedisCommand {
        RedisCommand("PEXPIRE", key, String(milliseconds), key: key)
    }

    /// Adds a member to a sorted set, with the time of its end in milliseconds.
    static func addMember(_ member: String, to key: String, until end: Int) -> RedisCommand {
        RedisCommand("ZADD", key, String(end), member, key: key)
    }

    /// Removes the members of a sorted set that end at or before a time.
    static func removeMembers(from key: String, until time: Int) -> RedisCommand {
        RedisCommand("ZREMRANGEBYSCORE", key, "-inf", String(time), key: key)
    }

    static func removeMembers(_ members: [String], from key: String) -> RedisCommand {
        RedisCommand((["ZREM", key] + members).map { Data($0.utf8) }, key: key)
    }

    /// Returns a command for some members of a sorted set and their times, from the position of an earlier reply.
    static func scanMembers(of key: String, from cursor: String, count: Int) -> RedisCommand {
        RedisCommand("ZSCAN", key, cursor, "COUNT", String(count), key: key)
    }

    /// Runs a script with one key.
    static func evaluate(_ script: String, key: String, _ arguments: String...) -> RedisCommand {
        RedisCommand((["EVAL", script, "1", key] + arguments).map { Data($0.utf8) }, key: key)
    }
}
#endif
