import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

/// A coder whose images have a gain map, which is applied if the options ask for it.
private struct GainMapCoder: ImageDecoding {
    let plain = TestCoder()

    var format: ImageFormat { plain.format }

    func header(of data: Data) throws(ImageError) -> ImageHeader {
        var header = try plain.header(of: data)
        header.gainMapHeadroom = 4
        return header
    }

    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        var image = try plain.decode(data, options)
        image.metadata.header = try header(of: data)
        guard options.depth == .sixteen || options.hdrHeadroom != nil else { return image }
        image.deepPixels = try DeepPixelBuffer(
            size: image.size, isOpaque: true, colors: .perceptualQuantizer
        ) { bytes, _ in bytes.initializeMemory(as: UInt8.self, repeating: 9) }
        image.gainMap = GainMap(
            pixels: image.pixels, parameters: GainMap.Parameters(maximum: .one, alternateHeadroom: 2))
        return image
    }
}

@Suite("Manager: gain maps")
struct ImageManagerGainMapTests {
    private let cache = ScriptedCache()
    private let loader = ScriptedLoader()
    private let manager: ImageManager

    init() {
        var configuration = ImageManager.Configuration()
        configuration.cache = cache
        configuration.loader = loader
        configuration.coders = CoderRegistry(decoders: [GainMapCoder()], encoders: [TestCoder()])
        manager = ImageManager(configuration: configuration)
    }

    @Test("an HDR image is made from its file again, because no other file stores its base image too")
    func notStored() async throws {
        let request = try ManagerFixture.request { $0.hdrHeadroom = 3 }
        let first = try await manager.load(request).response
        #expect(first.image.gainMap != nil)
        #expect(Set(cache.files.keys) == [request.originalKey])
        cache.forgetImages()
        let second = try await manager.load(request).response
        #expect(second.source == .disk && second.image.gainMap != nil && second.image.deepPixels != nil)
        #expect(loader.requests.count == 1)
    }

    @Test("the base image and each headroom are separate images of one file")
    func separate() async throws {
        for headroom in [nil, 2, 4] as [Double?] {
            let request = try ManagerFixture.request { $0.hdrHeadroom = headroom }
            #expect((try await manager.load(request).response.image.gainMap != nil) == (headroom != nil))
        }
        #expect(loader.requests.count == 1 && cache.imageKeys.count == 3)
    }

    @Test("other pixels have no gain map, and its pixels count in the cost")
    func pixels() throws {
        var image = try GainMapCoder().decode(TestCoder.file(), DecodeOptions(depth: .sixteen))
        let plain = try TestCoder().decode(TestCoder.file(), DecodeOptions())
        #expect(image.memoryCost > 2 * plain.memoryCost)
        image.pixels = plain.pixels
        #expect(image.gainMap == nil && image.deepPixels == nil)
    }
}
