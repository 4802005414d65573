#if OriginServer
import EaselCore
import EaselTesting
import EaselTransport
import Foundation
import Testing

@testable import EaselHTTP

@Suite("Transport: backpressure", .timeLimit(.minutes(1)))
struct BackPressureTests {
    /// The size of one libcurl read.
    private static let readSize = 128 << 10

    @Test("A paused reader pauses the transfer with bounded memory, and then receives the whole body")
    func slowReader() async throws {
        let data = Pattern.data(40_000_000)
        let origin = try await OriginServer.start { $0.respond("/big", with: .bytes(data)) }
        let watermark = 64 << 10
        let exchange = try Exchange(
            HTTPRequest(url: origin.url("/big").absoluteString, highWatermark: watermark), engine: Engine())
        _ = try await exchange.start()

        var bytes: [UInt8] = []
        var longestPiece = 0
        // The transfer reaches its limit several times before the next read.
        for _ in 0..<5 {
            try await until { exchange.response.backlog.isPaused || exchange.response.isOver }
            #expect(exchange.response.backlog.unread >= watermark)
            let piece = try #require(try await exchange.next())
            longestPiece = max(longestPiece, piece.count)
            bytes += piece
        }
        let written = try #require(origin.requests(for: "/big").first).bytesWritten
        #expect(written < data.count, "The server was not slowed down.")

        while let piece = try await exchange.next() {
            longestPiece = max(longestPiece, piece.count)
            bytes += piece
        }
        #expect(longestPiece < watermark + Self.readSize)
        #expect(bytes == Array(data))
        await origin.stop()
    }

    @Test("Chunks that the reader retains are unchanged while later chunks reuse the memory of released ones")
    func retainedChunks() async throws {
        let data = Pattern.data(3_000_000)
        let origin = try await OriginServer.start { $0.respond("/big", with: .bytes(data)) }
        let transport = CurlTransport()
        let response = try await transport.send(HTTPRequest(url: origin.url("/big").absoluteString))
        var retained: [(offset: Int, bytes: [UInt8])] = []
        var count = 0
        while let piece = try await response.body.next() {
            // Retains only every second chunk.
            if retained.count * 2 <= count / (64 << 10) { retained.append((count, piece)) }
            #expect(data[count..<count + piece.count] == Data(piece))
            count += piece.count
        }
        #expect(count == data.count)
        for (offset, bytes) in retained { #expect(data[offset..<offset + bytes.count] == Data(bytes)) }
        await transport.shutDown()
        await origin.stop()
    }

    @Test("The time for which the reader pauses does not count as idle")
    func pauseIsNotIdle() async throws {
        let data = Data(repeating: 1, count: 20_000_000)
        let origin = try await OriginServer.start { $0.respond("/big", with: .bytes(data)) }
        let engine = Engine()
        let paused = try Exchange(
            HTTPRequest(
                url: origin.url("/big").absoluteString, timeouts: HTTPTimeouts(idle: .seconds(4)),
                highWatermark: 1000), engine: engine)
        _ = try await paused.start()
        try await until { paused.response.backlog.isPaused || paused.response.isOver }

        // The longer connect timeout of another exchange marks when the idle time is over.
        origin.respond("/never", with: .status(200), faults: [.noResponse])
        let other = try Exchange(
            HTTPRequest(
                url: origin.url("/never").absoluteString, timeouts: HTTPTimeouts(connect: .seconds(5))),
            engine: engine)
        await #expect(throws: ImageError.timedOut(.connect)) { try await other.start() }

        var count = 0
        while let piece = try await paused.next() { count += piece.count }
        #expect(count == data.count)
        await origin.stop()
    }
}
#endif
