#if Server
import EaselCore
import Foundation
import Synchronization
import Testing

@testable import EaselServer

private final class Decodes: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }
    func add() { number.add(1, ordering: .relaxed) }
}

struct SharedDecodingTests {
    private let sharing = SharedDecoding()
    private let gate = AdmissionGate(capacity: 1_000)
    private let decodes = Decodes()
    private let file = Data("file".utf8)

    private func image(
        _ file: Data? = nil, _ format: ImageFormat = .png, frame: Int = 0
    ) async throws -> SharedDecoding.Whole? {
        let (gate, decodes) = (gate, decodes)
        let key = SharedDecoding.Key(source: "a", frame: frame, colorSpace: .sRGB)
        return try await sharing.image(of: file ?? self.file, format, key) { () async throws(ImageError) in
            decodes.add()
            let permit = try await gate.enterLoad(ClientKey(text: ""), weight: 100)
            let pixels = try PixelBuffer(size: PixelSize(1, 1), isOpaque: true) { _, _ in }
            return (DecodedImage(pixels: pixels, metadata: ImageMetadata()), permit)
        }
    }

    @Test func `Results of one source share a decode`() async throws {
        let members = [sharing.join("a"), sharing.join("a")]
        let first = try #require(try await image())
        let second = try #require(try await image())
        #expect(first === second)
        #expect(decodes.count == 1)
        #expect(gate.load.inUse == 100)
        withExtendedLifetime(members) {}
    }

    @Test func `A result that is alone is decoded at its size`() async throws {
        let members = [sharing.join("a"), sharing.join("b")]
        #expect(try await image() == nil)
        var other: SharedDecoding.Member? = sharing.join("a")
        #expect(try await image() != nil)
        withExtendedLifetime(other) {}
        other = nil
        #expect(try await image() == nil)
        withExtendedLifetime(members) {}
    }

    @Test func `A JPEG is decoded for each size`() async throws {
        let members = [sharing.join("a"), sharing.join("a")]
        #expect(try await image(nil, .jpeg) == nil)
        withExtendedLifetime(members) {}
    }

    @Test func `Another frame is another decode`() async throws {
        let members = [sharing.join("a"), sharing.join("a")]
        let first = try await image()
        let second = try await image(frame: 1)
        #expect(first !== second)
        #expect(decodes.count == 2)
        withExtendedLifetime(members) {}
    }

    @Test func `A source that has changed meanwhile is not mixed up`() async throws {
        let members = [sharing.join("a"), sharing.join("a")]
        let first = try await image()
        #expect(try await image(Data("other".utf8)) == nil)
        withExtendedLifetime((first, members)) {}
    }

    @Test func `The image and its memory end with the last result`() async throws {
        let members = [sharing.join("a"), sharing.join("a")]
        var first = try await image()
        withExtendedLifetime(first) {}
        first = nil
        #expect(gate.load.inUse == 0)
        #expect(try await image() != nil)
        #expect(decodes.count == 2)
        withExtendedLifetime(members) {}
    }
}
#endif
