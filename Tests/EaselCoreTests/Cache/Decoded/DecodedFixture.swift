import EaselTesting

@testable import EaselCore

/// A store of decoded images in a temporary folder.
struct DecodedFixture {
    static let thisMachine: UInt64 = 1
    let folder: TemporaryFolder
    let store: DecodedStore

    static func with(
        on machine: UInt64 = thisMachine, _ configure: (inout ImageCache.Configuration.Decoded) -> Void = { _ in },
        _ body: (DecodedFixture) async throws -> Void
    ) async throws {
        var configuration = ImageCache.Configuration.Decoded()
        configure(&configuration)
        try await TemporaryFolder.with { folder in
            let store = DecodedStore(folder: folder.path, configuration: configuration, machine: machine)
            try await body(DecodedFixture(folder: folder, store: store))
        }
    }

    /// Returns a store in the same folder for another machine or after another start.
    func store(on machine: UInt64) -> DecodedStore {
        DecodedStore(folder: folder.path, configuration: ImageCache.Configuration.Decoded(), machine: machine)
    }

    /// Returns a thumbnail, 60 x 40 pixels by default.
    static func image(_ width: Int = 60, _ height: Int = 40) throws -> CachedImage {
        var image = try TestImage.gradient(width, height).image()
        image.scale = 2
        image.metadata = ImageMetadata(
            header: ImageHeader(
                format: .gif, storedSize: PixelSize(640, 480), orientation: .right, frameCount: 3, loopCount: 0,
                frameDurations: [.milliseconds(100), .milliseconds(20), .seconds(5)], hasAlpha: true, bitDepth: 8,
                profileName: "Display P3"),
            frameIndex: 2, isThumbnail: true, isTransformed: true, colorSpace: .displayP3)
        image.metadata.header?.gainMapHeadroom = 4.5
        image.metadata.sampling = Sampling(original: PixelSize(480, 640), decoded: PixelSize(width, height))
        return CachedImage(image: image, metadata: CacheMetadata(fields: ["etag": "1"]))
    }
}
