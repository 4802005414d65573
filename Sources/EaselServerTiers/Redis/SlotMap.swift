#if Server
/// The hash slots of a cluster and their servers.
struct SlotMap: Sendable, Hashable {
    static let slotCount = 16_384

    /// The servers that have slots.
    private(set) var servers: [RedisAddress] = []
    /// The index of the server of each slot; -1 for none.
    private var indices = [Int16](repeating: -1, count: slotCount)

    /// Returns the server of a slot; `nil` if none has it.
    subscript(slot: Int) -> RedisAddress? {
        get { indices.indices.contains(slot) && indices[slot] >= 0 ? servers[Int(indices[slot])] : nil }
        set {
            guard indices.indices.contains(slot) else { return }
            indices[slot] = newValue.map { index(of: $0) } ?? -1
        }
    }

    private mutating func index(of server: RedisAddress) -> Int16 {
        if let index = servers.firstIndex(of: server) { return Int16(index) }
        guard servers.count < Int(Int16.max) else { return -1 }
        servers.append(server)
        return Int16(servers.count - 1)
    }

    /// Creates a map without servers.
    init() {}

    /// Reads a reply of CLUSTER SLOTS. Returns `nil` if it is not one, or has no slots.
    ///
    /// - Parameter source: The server that replied, which does not need to state its own host.
    init?(_ reply: RedisReply, from source: RedisAddress) {
        guard case .array(let ranges) = reply else { return nil }
        for range in ranges {
            guard case .array(let parts) = range, parts.count >= 3, case .integer(let first) = parts[0],
                case .integer(let last) = parts[1], case .array(let server) = parts[2], server.count >= 2,
                case .integer(let port) = server[1], (1...65535).contains(port), first >= 0, first <= last,
                last < Self.slotCount
            else { return nil }
            let host = server[0].text ?? ""
            // The address must be that of the connection, if the server does not state another one.
            let address = RedisAddress(host: host.isEmpty || host == "?" ? source.host : host, port: port)
            let index = index(of: address)
            for slot in first...last { indices[slot] = index }
        }
        guard !servers.isEmpty else { return nil }
    }

    /// Returns the slot of a key: CRC-16 of the key, or of the part between its first braces if there is one.
    static func slot(of key: String) -> Int {
        var bytes = Array(key.utf8)[...]
        if let open = bytes.firstIndex(of: UInt8(ascii: "{")),
            let close = bytes[(open + 1)...].firstIndex(of: UInt8(ascii: "}")), close > open + 1
        {
            bytes = bytes[(open + 1)..<close]
        }
        return Int(crc16(bytes)) % slotCount
    }

    /// Returns the CRC-16 of XMODEM, with the polynomial 0x1021.
    static func crc16(_ bytes: some Sequence<UInt8>) -> UInt16 {
        bytes.reduce(0) { $0 << 8 ^ table[Int($0 >> 8 ^ UInt16($1))] }
    }

    private static let table: [UInt16] = (UInt16(0)..<256).map { byte in
        (0..<8).reduce(byte << 8) { crc, _ in crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x1021 }
    }
}

/// The answer of a server of a cluster that another one has the slot of a key.
struct Redirection: Hashable {
    /// Whether the other server has the slot only for this command (ASK), because the slot is being moved.
    let isTemporary: Bool
    let slot: Int
    let server: RedisAddress

    /// Reads `MOVED slot host:port` or `ASK slot host:port`. Returns `nil` for other replies.
    ///
    /// - Parameter source: The server that replied, which can leave out its own host.
    init?(_ reply: RedisReply, from source: RedisAddress) {
        guard case .error(let message) = reply else { return nil }
        let words = message.split(separator: " ")
        guard words.count == 3, words[0] == "MOVED" || words[0] == "ASK", let slot = Int(words[1]),
            (0..<SlotMap.slotCount).contains(slot), let colon = words[2].utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = Int(words[2][words[2].utf8.index(after: colon)...]), (1...65535).contains(port)
        else { return nil }
        let host = String(words[2][..<colon])
        isTemporary = words[0] == "ASK"
        self.slot = slot
        server = RedisAddress(host: host.isEmpty || host == "?" ? source.host : host, port: port)
    }
}
#endif
