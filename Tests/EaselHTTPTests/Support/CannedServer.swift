import Foundation
import Synchronization

/// A server on 127.0.0.1 that sends fixed bytes for each request, for responses that no real server would send.
///
/// It serves one connection at a time on a separate thread, since its calls block.
final class CannedServer: Sendable {
    private let listener: LoopbackListener
    private let heads = Mutex<[String]>([])

    /// - Parameter response: The raw response. The connection is closed after it.
    init(_ response: [UInt8]) throws {
        listener = try LoopbackListener()
        Thread.detachNewThread { [self] in serve(response) }
    }

    convenience init(_ response: String) throws { try self.init(Array(response.utf8)) }

    /// The port of the server.
    var port: UInt16 { listener.port }

    /// The URL of its only resource.
    var url: String { "http://127.0.0.1:\(port)/" }

    /// The raw heads of the requests so far.
    var requests: [String] { heads.withLock { $0 } }

    /// Stops accepting connections.
    func stop() { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }

    private func serve(_ response: [UInt8]) {
        while true {
            let connection = accept(listener.descriptor, nil, nil)
            guard connection >= 0 else { break }
            if let head = readHead(connection) {
                heads.withLock { $0.append(head) }
                write(response, to: connection)
            }
            close(connection)
        }
        listener.close()
    }

    private func readHead(_ connection: Int32) -> String? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            head.append(byte)
        }
        return String(decoding: head, as: UTF8.self)
    }

    private func write(_ bytes: [UInt8], to connection: Int32) {
        var remaining = bytes[...]
        while !remaining.isEmpty {
            let count = remaining.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            remaining = remaining.dropFirst(count)
        }
    }
}
