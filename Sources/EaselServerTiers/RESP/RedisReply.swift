#if Server
public import EaselFoundation

/// A reply of a Redis or Valkey server (RESP2).
public enum RedisReply: Sendable, Hashable {
    /// No value.
    case null
    /// A status such as `OK`.
    case status(String)
    /// An error that the server reports for one command, such as `WRONGTYPE …`.
    case error(String)
    /// A number.
    case integer(Int)
    /// Bytes.
    case bytes(Data)
    /// Several replies.
    case array([RedisReply])
}

extension RedisReply {
    /// The text of a status or of bytes.
    var text: String? {
        switch self {
        case .status(let text): text
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .null, .error, .integer, .array: nil
        }
    }

    /// Returns the reply itself, unless it is an error.
    ///
    /// - Throws: `TierError.unauthorized` for missing or wrong credentials, `.refused` for other errors.
    func orError() throws(TierError) -> RedisReply {
        guard case .error(let message) = self else { return self }
        let code = message.prefix { $0 != " " }
        throw TierError(["NOAUTH", "WRONGPASS", "NOPERM"].contains(code) ? .unauthorized : .refused, message.readable)
    }

    /// The number of an integer.
    ///
    /// - Throws: the error of the reply, or `TierError.invalidReply`.
    func integer() throws(TierError) -> Int {
        guard case .integer(let number) = try orError() else { throw Self.unexpected }
        return number
    }

    static let unexpected = TierError(.invalidReply, "The reply has another type than the command returns.")
}

extension String {
    /// The text in printable ASCII and at most 200 bytes, since a server can put anything into a message.
    var readable: String {
        let bytes = utf8.prefix(200).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
#endif
