import EaselCore
import EaselTesting
import FoundationEssentials
import Synchronization
import TestSupport

/// A format in which the width of an image is the number of its scans: a head of 64 bytes that starts with `GROW`, and
/// one byte for each scan. The last byte is the value of every pixel. A scan of 0 is damaged and fails only previews.
struct GrowingCoder: IncrementalDecoding {
    let format = ImageFormat("growing", signatures: [.text("GROW")])
    /// The number of scans after which a preview is sufficient.
    let sufficientScans: Int
    let decoders = Counter()
    /// The incremental decoders that were deallocated.
    let releasedDecoders = Counter()
    private let targetSizes = Recorder<TargetSize>()

    /// The target sizes of the incremental decoders.
    var sizes: [TargetSize] { targetSizes.events }

    init(sufficientScans: Int = .max) {
        self.sufficientScans = sufficientScans
    }

    static let head = Data("GROW".utf8) + Data(repeating: 1, count: 60)

    func header(of data: Data) throws(ImageError) -> ImageHeader {
        ImageHeader(format: format, storedSize: PixelSize(max(1, data.count - Self.head.count), 1))
    }

    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try image(of: data)
    }

    func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        decoders.add()
        targetSizes.record(options.targetSize)
        return Decoder(coder: self)
    }

    fileprivate func image(of data: Data) throws(ImageError) -> DecodedImage {
        let header = try header(of: data)
        let pixels = try PixelBuffer(size: header.size, isOpaque: true) { bytes, _ in
            bytes.initializeMemory(as: UInt8.self, repeating: data.last ?? 0)
        }
        return DecodedImage(pixels: pixels, metadata: ImageMetadata(header: header))
    }

    private final class Decoder: IncrementalDecoder {
        private let coder: GrowingCoder
        private var data = Data()
        private var lastScan = 0

        init(coder: GrowingCoder) {
            self.coder = coder
        }

        deinit { coder.releasedDecoders.add() }

        func append(_ bytes: Data) throws(ImageError) {
            data += bytes
            if bytes.contains(0) { throw .badData("A scan is damaged.") }
        }

        var isSufficient: Bool { data.count - GrowingCoder.head.count >= coder.sufficientScans }

        func preview() throws(ImageError) -> DecodedImage? {
            let scans = data.count - GrowingCoder.head.count
            guard scans > lastScan else { return nil }
            lastScan = scans
            var image = try coder.image(of: data)
            image.metadata.isPartial = true
            return image
        }
    }
}

/// A manager with a downloader that receives its body in pieces, each released by a test.
struct PreviewFixture {
    static let url = "http://images.test/a.grow"

    let transport = FakeTransport()
    let cache = ScriptedCache()
    let coder: GrowingCoder
    let manager: ImageManager

    init(
        sufficientScans: Int = .max, _ configure: (inout ImageDownloader.Configuration) -> Void = { _ in }
    ) {
        coder = GrowingCoder(sufficientScans: sufficientScans)
        var configuration = ImageManager.Configuration()
        configuration.cache = cache
        configuration.loader = ImageDownloader(transport: transport, configure)
        configuration.coders = CoderRegistry(decoders: [coder])
        configuration.previewInterval = .zero
        manager = ImageManager(configuration: configuration)
    }

    /// Answers with the head, and then with one scan for each gate that opens.
    func answer(scans: [UInt8], gates: [Gate], length: FakeResponse.Length = .total) {
        var body: [FakeResponse.Piece] = [.bytes(GrowingCoder.head)]
        for (scan, gate) in zip(scans, gates) { body += [.hold(gate), .bytes(Data([scan]))] }
        transport.respond(Self.url, with: .response(body: body, length: length))
    }

    func request(_ options: LoadOptions, _ configure: (inout ImageRequest) -> Void = { _ in }) throws -> ImageRequest {
        try ManagerFixture.request(Self.url) {
            $0.options.formUnion(options)
            configure(&$0)
        }
    }
}

extension ImageTask {
    /// Returns the widths of the images until the end, and opens the next gate after each preview.
    func widths(opening gates: [Gate]) async -> [String] {
        var words: [String] = []
        var gates = gates[...]
        gates.popFirst()?.open()
        for await event in events {
            switch event {
            case .preview(let response):
                words.append("preview \(response.image.size.width)")
                gates.popFirst()?.open()
            case .cached(let response): words.append("cached \(response.image.size.width)")
            case .finished(.success(let response)): words.append("finished \(response.image.size.width)")
            case .finished(.failure(let error)): words.append("finished \(error.code)")
            case .progress: break
            }
        }
        return words
    }
}
