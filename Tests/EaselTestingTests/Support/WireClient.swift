import Foundation
import TestSupport

typealias WireClient = TCPConnection

extension TCPConnection {
    enum Ending: Equatable {
        /// FIN.
        case closed
        /// RST.
        case reset
        /// Nothing arrived for 20 seconds. A failure of the test.
        case silent
    }

    /// Sends a GET with these additional lines.
    func get(_ target: String, _ lines: String...) async throws {
        try await send((["GET \(target) HTTP/1.1", "Host: localhost"] + lines + ["", ""]).joined(separator: "\r\n"))
    }

    /// Reads until `count` bytes have arrived or the connection ends.
    func read(atLeast count: Int) async throws -> String {
        try await readText { $0.count >= count }.text
    }

    /// Reads until the text ends with `suffix` or the connection ends.
    func read(until suffix: String) async throws -> String {
        try await readText(pieces: 1) { $0.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }.text
    }

    /// Reads until the connection ends.
    func readToEnd() async throws -> (text: String, ending: Ending?) { try await readText { _ in false } }

    /// Reads until the bytes are enough or the connection ends. The text has one character for each byte, so that
    /// nothing is lost and counts are those of bytes.
    private func readText(
        pieces: Int = 65_536, until isEnough: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws -> (text: String, ending: Ending?) {
        try await read { receive in
            var bytes: [UInt8] = []
            var ending: Ending?
            while ending == nil, !isEnough(bytes) {
                do {
                    let more = try receive(pieces)
                    bytes += more
                    if more.isEmpty { ending = .closed }
                } catch let failure as Failure {
                    ending = failure.number == ECONNRESET ? .reset : .silent
                }
            }
            return (String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })), ending)
        }
    }
}
