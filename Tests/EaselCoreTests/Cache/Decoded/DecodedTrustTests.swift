import EaselTesting
import Testing

@testable import EaselCore

@Suite("Decoded tier: untrusted files")
struct DecodedTrustTests {
    @Test("a file of another machine is a miss and is removed")
    func otherMachine() async throws {
        try await DecodedFixture.with { fixture in
            _ = try await fixture.store.store(DecodedFixture.image(), for: "a")
            let otherStore = fixture.store(on: 2)
            #expect(await otherStore.image(for: "a") == nil)
            #expect(try fixture.folder.names().isEmpty)
        }
    }

    @Test("pixels with one changed bit are a miss", arguments: [4096 * 8, 4096 * 8 + 100, 4096 * 8 + 4_000])
    func changedPixels(bit: Int) async throws {
        try await expectMiss { try $0.flipBit(bit) }
    }

    @Test("a header with one changed bit is a miss", arguments: [0, 64, 96, 130, 200, 400, 700])
    func changedHeader(bit: Int) async throws {
        try await expectMiss { try $0.flipBit(bit) }
    }

    @Test("a file that was cut short or extended is a miss", arguments: [0, 1, 4_095, 4_096, 14_335, 20_000])
    func length(bytes: Int) async throws {
        try await expectMiss { try $0.setLength(bytes) }
    }

    @Test("a header that is truncated, of another version or invalid is rejected")
    func hostileHeaders() throws {
        let image = try DecodedFixture.image()
        let header = try #require(DecodedFile(of: image.image, on: DecodedFixture.thisMachine).header)
        #expect(header.count == DecodedFile.headerLength)
        #expect(DecodedFile(header: header)?.metadata == image.image.metadata)
        // Magic, version, length, that many bytes, checksum; the rest are unused zeros.
        let used = 16 + Int(header[12]) + Int(header[13]) << 8 + 4
        for length in 0..<used { #expect(DecodedFile(header: Array(header.prefix(length))) == nil) }
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            var changed = header
            changed[Int.random(in: 0..<used, using: &random)] = UInt8.random(in: 0...255, using: &random)
            if changed != header { #expect(DecodedFile(header: changed) == nil) }
        }
    }

    @Test("an image stays intact if another program truncates its file after the read")
    func cutShortAfterwards() async throws {
        try await DecodedFixture.with { fixture in
            let image = try DecodedFixture.image(300, 225)
            _ = try await fixture.store.store(image, for: "a")
            let cached = try #require(await fixture.store.image(for: "a"))
            try FileHandleWriter(fixture.folder[CacheKey("a").fileName]).setLength(0)
            #expect(PixelDifference(cached.image.pixels, image.image.pixels).maximum == 0)
            #expect(await fixture.store.image(for: "a") == nil)
        }
    }

    @Test("a file that another program truncates during a read is a whole image or a miss")
    func cutShortMeanwhile() async throws {
        try await DecodedFixture.with { fixture in
            let image = try DecodedFixture.image(300, 225)
            let path = fixture.folder[CacheKey("a").fileName]
            var random = SeededGenerator(seed: 3)
            for _ in 0..<200 {
                _ = try await fixture.store.store(image, for: "a")
                let length = Int.random(in: 0..<280_000, using: &random)
                let cutting = Task(executorPreference: WorkerPool.writes) {
                    try? FileHandleWriter(path).setLength(length)
                }
                if let cached = await fixture.store.image(for: "a") {
                    #expect(PixelDifference(cached.image.pixels, image.image.pixels).maximum == 0)
                }
                await cutting.value
            }
        }
    }

    /// Stores an image, damages its file, and expects a miss.
    private func expectMiss(_ change: (FileHandleWriter) throws -> Void) async throws {
        try await DecodedFixture.with { fixture in
            _ = try await fixture.store.store(DecodedFixture.image(), for: "a")
            try change(FileHandleWriter(fixture.folder[CacheKey("a").fileName]))
            let store = fixture.store(on: DecodedFixture.thisMachine)
            #expect(await store.image(for: "a") == nil)
        }
    }
}
