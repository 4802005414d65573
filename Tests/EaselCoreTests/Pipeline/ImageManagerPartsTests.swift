import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

/// A coder that inverts test images, whatever their signature, and encodes no format.
private struct InvertingCoder: ImageDecoding {
    let coder = TestCoder()
    var format: ImageFormat { ImageFormat("inverted", signatures: [.text("NEVER")]) }

    func header(of data: Data) throws(ImageError) -> ImageHeader { try coder.header(of: data) }

    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        var inverted = data
        inverted[6] = 255 - data[6]
        return try coder.decode(inverted, options)
    }
}

/// Parts of a request that replace the manager's.
@Suite("Manager: parts of a request (X022, X034 to X037)", .timeLimit(.minutes(1)))
struct ImageManagerPartsTests {
    private let fixture = ManagerFixture(loader: ScriptedLoader(file: TestCoder.file(value: 1)))

    @Test("a request's cache replaces the manager's (X022)")
    func ownCache() async throws {
        let cache = ScriptedCache()
        let request = try ManagerFixture.request { $0.cache.imageCache = Identified(cache) }
        _ = try await fixture.manager.load(request).response
        #expect(cache.imageKeys == [request.key] && Set(cache.files.keys) == [request.originalKey])
        #expect(fixture.cache.imageKeys.isEmpty && fixture.cache.files.isEmpty)
        #expect(try await fixture.manager.load(request).response.source == .memory)
        cache.forgetImages()
        #expect(try await fixture.manager.load(request).response.source == .disk)
        _ = try await fixture.manager.load(try ManagerFixture.request()).response
        #expect(fixture.loader.requests.count == 2)
    }

    @Test("the original file is stored in its own cache if the request has one (X034)")
    func originalCache() async throws {
        let (images, files) = (ScriptedCache(), ScriptedCache())
        var request = try ManagerFixture.request {
            $0.targetSize = .pixels(width: 4, height: 4)
            $0.cache.imageCache = Identified(images)
            $0.cache.originalImageCache = Identified(files)
        }
        _ = try await fixture.manager.load(request).response
        #expect(Set(images.files.keys) == [request.key] && images.imageKeys == [request.key])
        #expect(Set(files.files.keys) == [request.originalKey] && files.imageKeys.isEmpty)
        request.targetSize = .pixels(width: 2, height: 2)
        #expect(try await fixture.manager.load(request).response.source == .disk)
        #expect(fixture.loader.requests.count == 1)
        #expect(fixture.cache.files.isEmpty)
    }

    @Test("the cache levels apply separately to the image and to its file (X033, X034)")
    func levels() async throws {
        let request = try ManagerFixture.request {
            $0.targetSize = .pixels(width: 4, height: 4)
            $0.cache.store = .memory
        }
        _ = try await fixture.manager.load(request).response
        #expect(fixture.cache.imageKeys == [request.key])
        #expect(Set(fixture.cache.files.keys) == [request.originalKey])
        var blind = request
        blind.cache.query = []
        blind.cache.queryOriginal = []
        #expect(try await fixture.manager.load(blind).response.source == .network)
        blind.cache.queryOriginal = .disk
        #expect(try await fixture.manager.load(blind).response.source == .disk)
        #expect(fixture.loader.requests.count == 2)
    }

    @Test("a request's loader replaces the manager's (X022)")
    func ownLoader() async throws {
        let loader = ScriptedLoader(file: TestCoder.file(value: 9))
        let request = try ManagerFixture.request { $0.loader = Identified("other", loader) }
        #expect(try await fixture.manager.image(for: request).pixels[0, 0].blue == 9)
        #expect(try await fixture.manager.image(for: try ManagerFixture.request()).pixels[0, 0].blue == 1)
        #expect(loader.requests.count == 1 && fixture.loader.requests.count == 1)
    }

    @Test("loads of one URL with different loaders do not share their work")
    func loadersAtATime() async throws {
        let gate = Gate()
        let (first, second) = (ScriptedLoader.blocked(by: gate), ScriptedLoader.blocked(by: gate))
        let tasks = try [first, second].map { loader in
            fixture.manager.load(try ManagerFixture.request { $0.loader = Identified(loader) })
        }
        for task in tasks { await task.firstProgress() }
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(first.requests.count == 1 && second.requests.count == 1)
    }

    @Test("a request's coder decodes any signature, from the same download and file (X022)")
    func ownCoder() async throws {
        let request = try ManagerFixture.request { $0.coder = Identified("inverting", InvertingCoder()) }
        let plain = try ManagerFixture.request()
        #expect(try await fixture.manager.image(for: request).pixels[0, 0].blue == 254)
        #expect(try await fixture.manager.image(for: plain).pixels[0, 0].blue == 1)
        fixture.cache.forgetImages()
        #expect(try await fixture.manager.image(for: request).pixels[0, 0].blue == 254)
        #expect(fixture.loader.requests.count == 1)
        #expect(fixture.log.warnings.isEmpty)
    }

    @Test("the request sets the encoding of a cached image (X032)")
    func encoding() async throws {
        let coder = QualityCoder()
        let cache = ScriptedCache()
        var configuration = ImageManager.Configuration()
        configuration.cache = cache
        configuration.loader = ScriptedLoader()
        configuration.coders = CoderRegistry(decoders: [coder], encoders: [coder])
        let manager = ImageManager(configuration: configuration)
        for quality in [nil, 0.25] {
            let request = try ManagerFixture.request {
                $0.targetSize = .pixels(width: 4, height: 4)
                $0.cache.encoding = quality.map { EncodeOptions(quality: $0) }
            }
            _ = try await manager.load(request).response
            #expect(cache.files[request.key]?.last == UInt8(100 * (quality ?? 0.95)))
        }
    }

    @Test("a request's serializer sets the stored bytes and has its own keys (X037, X054)")
    func serializer() async throws {
        let request = try ManagerFixture.request {
            $0.cache.serializer = Identified("nine") { data, _ in data.dropLast() + [9] }
        }
        #expect(try await fixture.manager.image(for: request).pixels[0, 0].blue == 1)
        #expect(fixture.cache.files[request.originalKey] == TestCoder.file(value: 9))
        let plain = try ManagerFixture.request()
        #expect(try await fixture.manager.image(for: plain).pixels[0, 0].blue == 1)
        fixture.cache.forgetImages()
        #expect(try await fixture.manager.image(for: request).pixels[0, 0].blue == 9)
    }

    @Test("a request's key identifies its URL and takes precedence over the manager's filter (X037)")
    func ownKey() async throws {
        let requests = try ["1", "2"].map { token in
            try ManagerFixture.request("http://example.com/a.test?token=\(token)") { $0.cache.key = "a" }
        }
        _ = try await fixture.manager.load(requests[0]).response
        #expect(try await fixture.manager.load(requests[1]).response.source == .memory)
        #expect(fixture.loader.requests.map(\.url) == [requests[0].url])
    }
}

/// A coder that writes the requested quality as the image's value.
private struct QualityCoder: ImageDecoding, ImageEncoding {
    let coder = TestCoder()
    var format: ImageFormat { coder.format }
    func header(of data: Data) throws(ImageError) -> ImageHeader { try coder.header(of: data) }
    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try coder.decode(data, options)
    }
    func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        TestCoder.file(value: UInt8(100 * options.quality))
    }
}
