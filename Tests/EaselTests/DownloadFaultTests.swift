#if OriginServer
import Easel
import EaselTesting
import Foundation
import Synchronization
import Testing

/// Server faults, tested through the whole stack.
@Suite("Downloads: faults of servers and networks", .timeLimit(.minutes(2)))
struct DownloadFaultTests {
    private static let original = OriginResponse.image(.gradient(2, 2))

    @Test(
        "a server that closes after any byte of its response causes an error, never an image")
    func everyByte() async throws {
        try await WholeStack.run({ _ in }) { stack in
            stack.origin.respond("/a.png", with: Self.original)
            let loaded = try await stack.manager.data(for: stack.request("/a.png", Self.uncached))
            // The whole response, with its head.
            let fileSize = try #require(await Self.bytesWritten(stack.origin))
            #expect(fileSize > loaded.data.count)
            for count in 0..<fileSize {
                stack.origin.respond("/a.png", with: Self.original, faults: [.closeAfter(count)])
                let error = await stack.failure("/a.png", Self.uncached)
                #expect([.connectionLost, .invalidResponse].contains(error?.code), "\(count) of \(fileSize) bytes")
            }
            #expect(stack.cachedFiles.isEmpty)
            stack.origin.respond("/a.png", with: Self.original, faults: [.closeAfter(fileSize)])
            #expect(await stack.failure("/a.png", Self.uncached) == nil)
        }
    }

    @Test("a head that arrives byte by byte does not outlast the connect timeout (slow loris)")
    func slowHead() async throws {
        try await WholeStack.run {
            $0.respond("/a.png", with: Self.original, faults: [.dripHead(bytes: 1, every: .milliseconds(50))])
        } _: { stack in
            let error = await stack.failure("/a.png") { $0.http.timeouts.connect = .milliseconds(200) }
            #expect(error == .timedOut(.connect))
        }
    }

    @Test("a body that arrives byte by byte does not outlast the deadline")
    func slowBody() async throws {
        try await WholeStack.run {
            $0.respond("/a.png", with: Self.original, faults: [.drip(bytes: 1, every: .milliseconds(20))])
        } _: { stack in
            #expect(await stack.failure("/a.png") { $0.http.deadline = .milliseconds(300) } == .timedOut(.total))
            await stack.origin.waitForClose(of: "/a.png")
        }
    }

    @Test(
        "a head of a megabyte, or of ten thousand lines, is refused",
        arguments: [(1, 1 << 20), (10_000, 1), (100, 9_000)])
    func largeHead(count: Int, size: Int) async throws {
        try await WholeStack.run {
            $0.respond("/a.png", with: Self.original, faults: [.extraHeaders(count: count, size: size)])
        } _: { stack in
            #expect(await stack.failure("/a.png")?.code == .invalidResponse)
            stack.origin.respond("/a.png", with: Self.original)
            #expect(await stack.failure("/a.png") == nil)
        }
    }

    @Test("a length that is too large or too small is an error and does not affect the next response")
    func wrongLength() async throws {
        try await WholeStack.run({ _ in }) { stack in
            for (length, code) in [(100_000, ImageError.Code.connectionLost), (40, .badData)] {
                stack.origin.respond("/a.png", with: Self.original, faults: [.wrongLength(length)])
                #expect(await stack.failure("/a.png") { $0.options.insert(.retryFailed) }?.code == code)
                #expect(stack.cachedFiles.isEmpty)
            }
            // On a reused connection, the excess bytes would precede the next response.
            stack.origin.respond("/b.png", with: Self.original)
            let error = await stack.failure("/b.png")
            #expect(error == nil)
        }
    }

    @Test("a partial download is stored next to the cache, and the next load requests the rest (P011)")
    func resumes() async throws {
        let file = try Self.noise()
        try await WholeStack.run {
            $0.respond("/a.png", with: [file.with(faults: [.truncate(at: 100_000)]), file])
        } _: { stack in
            let parts = { (try? FileManager.default.contentsOfDirectory(atPath: stack.folder + "/partial")) ?? [] }
            #expect(await stack.failure("/a.png")?.code == .connectionLost)
            #expect(parts().count == 1)
            let image = try await stack.freshManager().load(stack.request("/a.png")).response.image
            #expect(image.size == PixelSize(300, 300))
            #expect(stack.origin.requests.map { $0.headers["Range"] } == [nil, "bytes=100000-"])
            #expect(parts().isEmpty)
        }
    }

    @Test("an uncached load stores no partial download, and clearing the cache removes partial downloads")
    func noParts() async throws {
        let file = try Self.noise()
        try await WholeStack.run {
            $0.respond("/a.png", with: file, faults: [.truncate(at: 100_000)])
        } _: { stack in
            let parts = { (try? FileManager.default.contentsOfDirectory(atPath: stack.folder + "/partial")) ?? [] }
            #expect(await stack.failure("/a.png", Self.uncached)?.code == .connectionLost)
            #expect(parts().isEmpty)
            #expect(await stack.failure("/a.png")?.code == .connectionLost)
            #expect(parts().count == 1)
            try await stack.manager.cache.removeAll(from: .disk)
            #expect(parts().isEmpty)
        }
    }

    @Test("invalid chunks are an error")
    func garbageChunks() async throws {
        try await WholeStack.run {
            $0.respond("/a.png", with: Self.original, faults: [.garbageChunks])
        } _: { stack in
            #expect([.connectionLost, .invalidResponse].contains(await stack.failure("/a.png")?.code))
            #expect(stack.cachedFiles.isEmpty)
        }
    }

    @Test("the byte limit applies to decoded bytes, so a gzip bomb is not inflated further (B81)")
    func bomb() async throws {
        try await WholeStack.run {
            $0.respond("/a.png", with: OriginResponse.bytes(Data(count: 8 << 20)).compressed())
        } _: { stack in
            let error = await stack.failure("/a.png") {
                $0.http.headers["Accept-Encoding"] = "gzip"
                $0.limits.bytes = 1 << 20
            }
            guard case .bytes(let count, limit: 1 << 20)? = error?.excess else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(count < 2 << 20)
        }
    }

    @Test("the guard refuses a redirect to a private address (B90)")
    func redirectToPrivateAddress() async throws {
        try await WholeStack.run({ _ in }) { stack in
            let port = stack.origin.port
            stack.origin.respond("/b.png", with: Self.original)
            let manager = ImageManager {
                $0.cache = ImageCache(folder: nil as String?)
                $0.loader = ImageDownloader {
                    $0.hostGuard = .publicHostsOnly
                    // Only the name is exempt; a redirect to its address is refused.
                    $0.hostGuard.exemptHosts = ["localhost"]
                }
            }
            for host in ["127.0.0.1", "127.1", "[::ffff:127.0.0.1]"] {
                stack.origin.respond("/a.png", with: .redirect(to: "http://\(host):\(port)/b.png"))
                let url = try #require(URL(string: "http://localhost:\(port)/a.png"))
                let task = manager.load(ImageRequest(url))
                await #expect { try await task.response } throws: { ($0 as? ImageError)?.code == .forbiddenAddress }
            }
            #expect(stack.origin.requests(for: "/b.png").isEmpty)
        }
    }

    @Test("a refused connection waits for the network and is retried when it returns (B77)")
    func refusedThenBack() async throws {
        let first = try await OriginServer.start()
        let url = first.url("/a.png")
        await first.stop()
        let network = ReturningNetwork {
            try await OriginServer.start {
                $0.port = first.port
                $0.respond("/a.png", with: Self.original)
            }
        }
        let manager = ImageManager {
            $0.cache = ImageCache(folder: nil as String?)
            $0.loader = ImageDownloader { $0.isNetworkUp = { network.isUp() } }
        }
        let request = ImageRequest(url) { $0.retry.waitsForNetwork = true }
        #expect(try await manager.image(for: request).size == PixelSize(2, 2))
        await network.origin.withLock { $0 }?.stop()
    }

    /// Returns an incompressible image of 300 x 300 pixels with an entity tag.
    private static func noise() throws -> OriginResponse {
        let pixels = try PixelBuffer(size: PixelSize(300, 300), isOpaque: true) { bytes, _ in
            var state: UInt32 = 1
            for index in 0..<bytes.count {
                state = state &* 1_664_525 &+ 1_013_904_223
                bytes[index] = index % 4 == 3 ? 255 : UInt8(state >> 24)
            }
        }
        let file = try PNGCoder().encode(DecodedImage(pixels: pixels, metadata: ImageMetadata()), EncodeOptions())
        return OriginResponse.bytes(file, type: "image/png").with(headers: ["ETag": "\"1\""])
    }

    private static let uncached: @Sendable (inout ImageRequest) -> Void = {
        $0.cache.query = []
        $0.cache.queryOriginal = []
        $0.cache.store = []
        $0.cache.storeOriginal = []
        $0.options.insert(.retryFailed)
    }

    private static func bytesWritten(_ origin: OriginServer) async -> Int? {
        await origin.wait { $0.last?.ending == .completed }
        return origin.requests.last?.bytesWritten
    }
}

/// A network that returns, together with a server, when a load first waits for it.
private final class ReturningNetwork: Sendable {
    let origin = Mutex<OriginServer?>(nil)
    private let start: @Sendable () async throws -> OriginServer
    private let isRequested = Mutex(false)

    init(_ start: @escaping @Sendable () async throws -> OriginServer) {
        self.start = start
    }

    /// The first call starts the server, and returns `false` even if the server is there by then.
    func isUp() -> Bool {
        guard isRequested.withLock({ exchange(&$0, with: true) }) else {
            Task {
                let started = try await start()
                origin.withLock { $0 = started }
            }
            return false
        }
        return origin.withLock { $0 != nil }
    }
}
#endif
