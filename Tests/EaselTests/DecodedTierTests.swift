#if OriginServer
import Easel
import EaselTesting
import Foundation
import Testing

@Suite("Decoded tier, end to end", .timeLimit(.minutes(1)))
struct DecodedTierTests {
    @Test("a thumbnail is loaded in the next run without a decode and with equal pixels")
    func nextRun() async throws {
        try await withFixture { stack, request in
            let first = try await stack.manager.load(request).response
            #expect(first.source == .network)
            let second = try await stack.freshManager().load(request).response
            #expect(second.source == .disk)
            #expect(second.timeline[.decode] == nil)
            #expect(second.image.difference(from: first.image) <= .exact)
            #expect(second.image.metadata == first.image.metadata)
        }
    }

    @Test("only the original and the decoded thumbnail are stored, without an encoded form")
    func onlyOnce() async throws {
        try await withFixture { stack, request in
            _ = try await stack.manager.load(request).response
            let cache = ImageCache(folder: stack.folder)
            let statistics = await cache.statistics()
            #expect(statistics.disk.entries == 1)
            #expect(statistics.decoded.entries == 1)
            #expect(await cache.contains(request.key, in: .disk) == .disk)
            try await cache.remove(request.key)
            #expect(await cache.statistics().decoded.entries == 0)
        }
    }

    @Test("if the original is not stored, the encoded thumbnail is")
    func withoutOriginal() async throws {
        try await withFixture { stack, request in
            var request = request
            request.cache.storeOriginal = []
            _ = try await stack.manager.load(request).response
            #expect(try await ImageCache(folder: stack.folder).data(for: request.key) != nil)
        }
    }

    @Test("a new original replaces the thumbnails of the old one (S081)")
    func replaced() async throws {
        try await withFixture { stack, request in
            _ = try await stack.manager.load(request).response
            let red = Pixel(blue: 0, green: 0, red: 255, alpha: 255)
            stack.origin.respond("/a.png", with: .image(.solid(red, 200, 150)))
            let refreshed = try await stack.manager.load(request.adding(.refreshCached)).response
            #expect(refreshed.image.pixels[5, 5].green == 0)
            let next = try await stack.freshManager().load(request).response
            #expect(next.image.pixels[5, 5] == refreshed.image.pixels[5, 5])
        }
    }

    private func withFixture(_ body: (WholeStack, ImageRequest) async throws -> Void) async throws {
        try await WholeStack.run {
            $0.respond("/a.png", with: .image(.gradient(200, 150)))
        } _: { stack in
            try await body(stack, stack.request("/a.png") { $0.targetSize = .pixels(width: 100, height: 75) })
        }
    }
}
#endif
