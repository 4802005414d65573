package import EaselCore
package import EaselFoundation
package import EaselTesting
import Synchronization

/// A coder for a test format: `TEST`, width, height, and the value of every byte of every pixel.
package struct TestCoder: ImageDecoding, ImageEncoding {
    package let format = ImageFormat("test", signatures: [.text("TEST")])
    package let decodes = Counter()

    package init() {}

    package static func file(width: UInt8 = 8, height: UInt8 = 6, value: UInt8 = 255) -> Data {
        Data("TEST".utf8) + [width, height, value]
    }

    package func header(of data: Data) throws(ImageError) -> ImageHeader {
        guard data.count == 7 else { throw .badData("The test image is damaged.") }
        return ImageHeader(format: format, storedSize: PixelSize(Int(data[4]), Int(data[5])))
    }

    package func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        decodes.add()
        let header = try header(of: data)
        try options.limits.check(header)
        let size = options.targetSize.size(for: header.size)
        let pixels = try PixelBuffer(size: size, isOpaque: true) { bytes, _ in
            bytes.initializeMemory(as: UInt8.self, repeating: data[6])
        }
        return DecodedImage(
            pixels: pixels, metadata: ImageMetadata(header: header, isThumbnail: size != header.size))
    }

    package func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        Self.file(
            width: UInt8(image.size.width), height: UInt8(image.size.height), value: image.pixels[0, 0].blue)
    }
}

/// A transform that inverts the first pixel and counts its runs.
package struct InvertTransform: ImageTransforming {
    package var name: String
    package let runs = Counter()
    package var fails: Bool

    package init(name: String = "Invert", fails: Bool = false) {
        self.name = name
        self.fails = fails
    }

    package var identifier: String { name }

    package func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        runs.add()
        if fails { throw .unsupported("It cannot be inverted.") }
        var result = image
        let value = 255 - image.pixels[0, 0].blue
        result.pixels = try PixelBuffer(size: image.size, isOpaque: true) { bytes, _ in
            bytes.initializeMemory(as: UInt8.self, repeating: value)
        }
        return result
    }
}

package final class Counter: Sendable {
    private let value = Atomic(0)

    package init() {}

    package var count: Int { value.load(ordering: .relaxed) }
    package func add() { value.add(1, ordering: .relaxed) }
}

/// A loader with a scripted answer, which records its requests.
package final class ScriptedLoader: ImageLoading {
    package typealias Answer = @Sendable (ImageRequest, LoadContext) async throws(ImageError) -> LoadedData

    private let answer: Answer
    private let receivedRequests = Mutex<[ImageRequest]>([])
    package let cancellations = Counter()

    package init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// Creates a loader that returns this file for every URL.
    package convenience init(file: Data = TestCoder.file()) {
        self.init { _, _ in LoadedData(data: file, source: .network) }
    }

    /// Returns a loader that waits for the gate before it returns the file; a cancelled wait fails with `cancelled`.
    package static func blocked(by gate: Gate, file: Data = TestCoder.file()) -> ScriptedLoader {
        ScriptedLoader { _, context throws(ImageError) in
            context.report(received: 0, expected: file.count)
            do { try await gate.wait() } catch { throw .cancelled }
            return LoadedData(data: file, source: .network)
        }
    }

    package var requests: [ImageRequest] { receivedRequests.withLock { $0 } }

    package func canLoad(_ request: ImageRequest) -> Bool { true }

    package func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        var received = request
        // It may be this loader, which would keep itself alive.
        received.loader = nil
        receivedRequests.withLock { $0.append(received) }
        do throws(ImageError) {
            return try await answer(request, context)
        } catch {
            if error == .cancelled { cancellations.add() }
            throw error
        }
    }
}

/// A cache of dictionaries that counts its operations and can fail.
package final class ScriptedCache: ImageCaching {
    private struct State {
        var images: [CacheKey: DecodedImage] = [:]
        var files: [CacheKey: Data] = [:]
        var metadata: [CacheKey: CacheMetadata] = [:]
        var stores: [CacheKey] = []
        var reads = 0
    }

    private let state = Mutex(State())
    private let failure: ImageError?
    private let beforeStore: @Sendable () async -> Void

    /// Creates a cache that fails with `failure` on disk, or runs `beforeStore` before it stores each file.
    package init(failure: ImageError? = nil, beforeStore: @escaping @Sendable () async -> Void = {}) {
        self.failure = failure
        self.beforeStore = beforeStore
    }

    package var files: [CacheKey: Data] { state.withLock { $0.files } }
    package var storedFiles: [CacheKey] { state.withLock { $0.stores } }
    package var imageKeys: Set<CacheKey> { state.withLock { Set($0.images.keys) } }

    /// The number of file reads.
    package var readCount: Int { state.withLock { $0.reads } }
    package func forgetImages() { state.withLock { $0.images = [:] } }

    package func put(_ data: Data, for key: CacheKey) { state.withLock { $0.files[key] = data } }

    package func image(for key: CacheKey) -> DecodedImage? { state.withLock { $0.images[key] } }
    package func store(_ image: DecodedImage, for key: CacheKey) { state.withLock { $0.images[key] = image } }

    package func metadata(for key: CacheKey) -> CacheMetadata? {
        state.withLock { state in state.files[key].map { _ in state.metadata[key] ?? CacheMetadata() } }
    }

    package func file(for key: CacheKey) async throws(ImageError) -> CachedFile? {
        if let failure { throw failure }
        return state.withLock { state in
            state.reads += 1
            return state.files[key].map { CachedFile(data: $0, metadata: state.metadata[key] ?? CacheMetadata()) }
        }
    }

    package func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        if let failure { throw failure }
        state.withLock { if $0.files[key] != nil { $0.metadata[key] = metadata } }
    }

    package func store(_ data: Data, metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        if let failure { throw failure }
        await beforeStore()
        state.withLock { state in
            state.files[key] = data
            state.metadata[key] = metadata
            state.stores.append(key)
        }
    }

    package func contains(_ key: CacheKey, in levels: CacheLevels) async -> CacheLevels {
        state.withLock { state in
            var present: CacheLevels = []
            if state.images[key] != nil { present.insert(.memory) }
            if state.files[key] != nil { present.insert(.disk) }
            return present.intersection(levels)
        }
    }

    package func remove(_ key: CacheKey, from levels: CacheLevels) async throws(ImageError) {
        state.withLock { state in
            if levels.contains(.memory) { state.images[key] = nil }
            if levels.contains(.disk) { state.files[key] = nil }
        }
    }

    package func removeAll(from levels: CacheLevels) async throws(ImageError) {
        state.withLock { state in
            if levels.contains(.memory) { state.images = [:] }
            if levels.contains(.disk) { state.files = [:] }
        }
    }
}

/// An observer that records warnings.
package final class WarningLog: ImageObserver {
    private let received = Mutex<[ImageWarning]>([])

    package init() {}

    package var warnings: [ImageWarning] { received.withLock { $0 } }
    package func didReceive(_ warning: ImageWarning) { received.withLock { $0.append(warning) } }
}

/// A manager with scripted parts.
package struct ManagerFixture {
    package let cache: ScriptedCache
    package let loader: ScriptedLoader
    package let coder = TestCoder()
    package let log = WarningLog()
    package let clock = ManualClock()
    package let manager: ImageManager

    package init(
        cache: ScriptedCache = ScriptedCache(), loader: ScriptedLoader = ScriptedLoader(), concurrentLoads: Int? = nil
    ) {
        self.cache = cache
        self.loader = loader
        var configuration = ImageManager.Configuration()
        if let concurrentLoads { configuration.concurrentLoads = concurrentLoads }
        configuration.cache = cache
        configuration.loader = loader
        configuration.coders = CoderRegistry(decoders: [coder], encoders: [coder])
        configuration.observers = [log]
        configuration.clock = LoadClock(clock)
        manager = ImageManager(configuration: configuration)
    }

    /// Returns a request that ends only after the cache is written, so that a test can inspect it.
    package static func request(
        _ url: String = "http://example.com/a.test", _ configure: (inout ImageRequest) -> Void = { _ in }
    ) throws(ImageError) -> ImageRequest {
        guard let url = URL(string: url) else { throw .invalidURL(url) }
        return ImageRequest(url) {
            $0.options = .waitStoreCache
            configure(&$0)
        }
    }
}

extension ImageTask {
    /// Every event until the end.
    package var allEvents: [LoadEvent] {
        get async {
            var all: [LoadEvent] = []
            for await event in events { all.append(event) }
            return all
        }
    }

    /// Waits for the first progress, after which the load has joined running work (B61).
    package func firstProgress() async {
        for await event in events {
            if case .progress = event { return }
        }
    }

    /// The response or the error.
    package var outcome: Result<ImageResponse, ImageError> {
        get async {
            do throws(ImageError) { return .success(try await response) } catch { return .failure(error) }
        }
    }
}

extension Result where Failure == ImageError {
    package var error: ImageError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
