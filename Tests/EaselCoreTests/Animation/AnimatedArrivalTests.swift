import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

extension FilmCoder: IncrementalDecoding {
    func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        FirstFrame(coder: self, options: options)
    }

    /// An incremental decoder that returns the first frame once.
    private final class FirstFrame: IncrementalDecoder {
        private let coder: FilmCoder
        private let options: DecodeOptions
        private var data = Data()
        private var isShown = false

        init(coder: FilmCoder, options: DecodeOptions) {
            self.coder = coder
            self.options = options
        }

        func append(_ bytes: Data) throws(ImageError) { data += bytes }

        func preview() throws(ImageError) -> DecodedImage? {
            guard !isShown else { return nil }
            isShown = true
            var image = try coder.decode(data, options)
            image.metadata.isPartial = true
            return image
        }
    }
}

@Suite("Animations during download (X175)", .timeLimit(.minutes(1)))
struct AnimatedArrivalTests {
    private static let url = "http://images.test/a.film"
    private let coder = FilmCoder()
    private let transport = FakeTransport()
    private let gates = (0..<3).map { _ in Gate() }
    private let manager: ImageManager

    init() {
        var configuration = ImageManager.Configuration()
        configuration.loader = ImageDownloader(transport: transport)
        configuration.coders = coder.registry
        configuration.previewInterval = .zero
        manager = ImageManager(configuration: configuration)
        // First 93 frames, then half as many more, then very few.
        let head = FilmCoder.file(Array(repeating: 5, count: 93))
        let body: [FakeResponse.Piece] = [
            .bytes(head), .hold(gates[0]), .bytes(Data(repeating: 5, count: 50)), .hold(gates[1]),
            .bytes(Data(repeating: 5, count: 5)), .hold(gates[2]), .bytes(Data(repeating: 5, count: 5)),
        ]
        transport.respond(Self.url, with: .response(body: body, length: .total))
    }

    private func frames(_ options: LoadOptions) async throws -> [String] {
        let request = try ManagerFixture.request(Self.url) { $0.options = options }
        var words: [String] = []
        for await event in manager.load(request).events {
            switch event {
            case .preview(let response):
                let animation = response.image.animation
                #expect(animation?.isArriving != false && response.image.metadata.isPartial)
                words.append("preview \(animation?.frameCount ?? 1)")
                // The last piece is too small for another preview.
                for gate in words.count == 1 ? gates[..<1] : gates[1...] { gate.open() }
            case .finished(let outcome):
                let animation = try outcome.get().image.animation
                #expect(animation?.isArriving != true)
                words.append("finished \(animation?.frameCount ?? 1)")
            default: break
            }
        }
        return words
    }

    @Test("previews have the frames received so far, and the result has all")
    func previews() async throws {
        #expect(try await frames(.progressive) == ["preview 93", "preview 143", "finished 153"])
    }

    @Test("with decodeFirstFrameOnly previews and result have one frame")
    func firstFrame() async throws {
        for gate in gates { gate.open() }
        let words = try await frames([.progressive, .decodeFirstFrameOnly])
        #expect(words.last == "finished 1" && Set(words.dropLast()).isSubset(of: ["preview 1"]))
    }
}
