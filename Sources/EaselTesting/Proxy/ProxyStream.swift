/// A state machine that processes the bytes of one client of a proxy. A pure value.
///
/// Does not support request bodies, since the loader sends none.
struct ProxyStream {
    enum Action: Equatable {
        /// Logs the method and target of a request.
        case log(String)
        case respond([UInt8])
        case forward([UInt8])
    }

    private var head: [UInt8] = []
    private var isTunnel = false

    /// Processes bytes from the client.
    mutating func receive(_ bytes: [UInt8]) -> [Action] {
        if isTunnel { return [.forward(bytes)] }
        var actions: [Action] = []
        for (index, byte) in bytes.enumerated() {
            head.append(byte)
            guard head.suffix(4).elementsEqual("\r\n\r\n".utf8) else { continue }
            actions += finishHead()
            if isTunnel {
                let remaining = Array(bytes[(index + 1)...])
                return remaining.isEmpty ? actions : actions + [.forward(remaining)]
            }
        }
        return actions
    }

    private mutating func finishHead() -> [Action] {
        defer { head = [] }
        let text = String(decoding: head, as: UTF8.self)
        let line = text.prefix { !$0.isNewline }
        let words = line.split(separator: " ")
        guard words.count == 3 else { return [.respond(Array("HTTP/1.1 400 \r\nContent-Length: 0\r\n\r\n".utf8))] }
        let request = Action.log("\(words[0]) \(words[1])")
        if words[0] == "CONNECT" {
            isTunnel = true
            return [request, .respond(Array("HTTP/1.1 200 \r\n\r\n".utf8))]
        }
        let forwarded = "\(words[0]) \(Self.path(words[1])) \(words[2])" + text.dropFirst(line.count)
        return [request, .forward(Array(forwarded.utf8))]
    }

    /// Returns the part of an absolute target that is sent to the server.
    private static func path(_ target: Substring) -> Substring {
        guard let scheme = target.firstRange(of: "://") else { return target }
        let slash = target[scheme.upperBound...].firstIndex(of: "/")
        return slash.map { target[$0...] } ?? "/"
    }
}
