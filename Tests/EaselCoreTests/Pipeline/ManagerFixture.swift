import EaselCore
import EaselTesting
import FoundationEssentials
import Synchronization

/// A coder for a test format: `TEST`, width, height, and the value of every byte of every pixel.
struct TestCoder: ImageDecoding, ImageEncoding {
    let format = ImageFormat("test", signatures: [.text("TEST")])
    let decodes = Counter()

    static func file(width: UInt8 = 8, height: UInt8 = 6, value: UInt8 = 255) -> Data {
        Data("TEST".utf8) + [width, height, value]
    }

    func header(of data: Data) throws(ImageError) -> ImageHeader {
        guard data.count == 7 else { throw .badData("The test image is damaged.") }
        return ImageHeader(format: format, storedSize: PixelSize(Int(data[4]), Int(data[5])))
    }

    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
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

    func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        Self.file(
            width: UInt8(image.size.width), height: UInt8(image.size.height), value: image.pixels[0, 0].blue)
    }
}

/// A transform that inverts the first pixel and counts its runs.
struct InvertTransform: ImageTransforming {
    var name = "Invert"
    let runs = Counter()
    var fails = false

    var identifier: String { name }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
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

final class Counter: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .relaxed) }
    func add() { value.add(1, ordering: .relaxed) }
}

/// A loader with a scripted answer, which records its requests.
final class ScriptedLoader: ImageLoading {
    typealias Answer = @Sendable (ImageRequest, LoadContext) async throws(ImageError) -> LoadedData

    private let answer: Answer
    private let asked = Mutex<[ImageRequest]>([])
    let cancellations = Counter()

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// Creates a loader that returns this file for every URL.
    convenience init(file: Data = TestCoder.file()) {
        self.init { _, _ in LoadedData(data: file, source: .network) }
    }

    /// Returns a loader that waits for the gate before it returns the file; a cancelled wait fails with `cancelled`.
    static func held(by gate: Gate, file: Data = TestCoder.file()) -> ScriptedLoader {
        ScriptedLoader { _, context throws(ImageError) in
            context.report(received: 0, expected: file.count)
            do { try await gate.wait() } catch { throw .cancelled }
            return LoadedData(data: file, source: .network)
        }
    }

    var requests: [ImageRequest] { asked.withLock { $0 } }

    func canLoad(_ request: ImageRequest) -> Bool { true }

    func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        asked.withLock { $0.append(request) }
        do throws(ImageError) {
            return try await answer(request, context)
        } catch {
            if error == .cancelled { cancellations.add() }
            throw error
        }
    }
}

/// A cache of dictionaries that counts its operations and can fail.
final class ScriptedCache: ImageCaching {
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
    init(failure: ImageError? = nil, beforeStore: @escaping @Sendable () async -> Void = {}) {
        self.failure = failure
        self.beforeStore = beforeStore
    }

    var files: [CacheKey: Data] { state.withLock { $0.files } }
    var storedFiles: [CacheKey] { state.withLock { $0.stores } }
    var imageKeys: Set<CacheKey> { state.withLock { Set($0.images.keys) } }

    /// The number of file reads.
    var readCount: Int { state.withLock { $0.reads } }
    func forgetImages() { state.withLock { $0.images = [:] } }

    func put(_ data: Data, for key: CacheKey) { state.withLock { $0.files[key] = data } }

    func image(for key: CacheKey) -> DecodedImage? { state.withLock { $0.images[key] } }
    func store(_ image: DecodedImage, for key: CacheKey) { state.withLock { $0.images[key] = image } }

    func metadata(for key: CacheKey) -> CacheMetadata? {
        state.withLock { state in state.files[key].map { _ in state.metadata[key] ?? CacheMetadata() } }
    }

    func file(for key: CacheKey) async throws(ImageError) -> CachedFile? {
        if let failure { throw failure }
        return state.withLock { state in
            state.reads += 1
            return state.files[key].map { CachedFile(data: $0, metadata: state.metadata[key] ?? CacheMetadata()) }
        }
    }

    func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        if let failure { throw failure }
        state.withLock { if $0.files[key] != nil { $0.metadata[key] = metadata } }
    }

    func store(_ data: Data, metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        if let failure { throw failure }
        await beforeStore()
        state.withLock { state in
            state.files[key] = data
            state.metadata[key] = metadata
            state.stores.append(key)
        }
    }

    func contains(_ key: CacheKey, in levels: CacheLevels) async -> CacheLevels {
        state.withLock { state in
            var found: CacheLevels = []
            if state.images[key] != nil { found.insert(.memory) }
            if state.files[key] != nil { found.insert(.disk) }
            return found.intersection(levels)
        }
    }

    func remove(_ key: CacheKey, from levels: CacheLevels) async throws(ImageError) {
        state.withLock { state in
            if levels.contains(.memory) { state.images[key] = nil }
            if levels.contains(.disk) { state.files[key] = nil }
        }
    }

    func removeAll(from levels: CacheLevels) async throws(ImageError) {}
}

/// An observer that records warnings.
final class WarningLog: ImageObserver {
    private let heard = Mutex<[ImageWarning]>([])
    var warnings: [ImageWarning] { heard.withLock { $0 } }
    func imageManager(didWarn warning: ImageWarning) { heard.withLock { $0.append(warning) } }
}

/// A manager with scripted parts.
struct ManagerFixture {
    let cache: ScriptedCache
    let loader: ScriptedLoader
    let coder = TestCoder()
    let log = WarningLog()
    let clock = ManualClock()
    let manager: ImageManager

    init(
        cache: ScriptedCache = ScriptedCache(), loader: ScriptedLoader = ScriptedLoader(), concurrentLoads: Int? = nil
    ) {
        self.cache = cache
        self.loader = loader
        var configuration = ImageManager.Configuration()
        if let concurrentLoads { configuration.concurrentLoads = concurrentLoads }
        configuration.cache = cache
        configuration.loader = loader
        configuration.coders = CoderRegistry(decoders: [coder], encoders: [coder])
        configuration.observer = log
        configuration.use(clock)
        manager = ImageManager(configuration: configuration)
    }

    /// Returns a request that ends only after the cache is written, so that a test can inspect it.
    static func request(
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
    var allEvents: [LoadEvent] {
        get async {
            var all: [LoadEvent] = []
            for await event in events { all.append(event) }
            return all
        }
    }

    /// Waits for the first progress, after which the load has joined running work (B61).
    func firstProgress() async {
        for await event in events {
            if case .progress = event { return }
        }
    }

    /// The response or the error.
    var outcome: Result<ImageResponse, ImageError> {
        get async {
            do throws(ImageError) { return .success(try await response) } catch { return .failure(error) }
        }
    }
}

extension Result where Failure == ImageError {
    var error: ImageError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
