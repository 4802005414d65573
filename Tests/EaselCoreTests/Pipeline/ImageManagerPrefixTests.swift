import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("Manager: shared prefixes of transforms", .timeLimit(.minutes(1)))
struct ImageManagerPrefixTests {
    @Test("1,000 requests for 10 URLs x 10 variants: 10 downloads, 10 decodes, 100 variants made once (B55, B56)")
    func manyVariants() async throws {
        let (gate, transport, coder) = (Gate(), FakeTransport(), TestCoder())
        var configuration = ImageManager.Configuration()
        configuration.loader = ImageLoaderChain([ImageDownloader(transport: transport)])
        configuration.coders = CoderRegistry(decoders: [coder], encoders: [coder])
        let manager = ImageManager(configuration: configuration)
        let first = InvertTransform(name: "First")
        let variants = (0..<10).map { InvertTransform(name: "Variant\($0)") }
        let urls = (0..<10).map { "http://example.com/\($0).test" }
        for url in urls {
            transport.respond(url, with: .response(body: [.hold(gate), .bytes(TestCoder.file())]))
        }
        var tasks: [ImageTask] = []
        for number in 0..<1_000 {
            let request = try ManagerFixture.request(urls[number % 10]) {
                $0.transforms = [ImageTransform(first), ImageTransform(variants[number / 10 % 10])]
                $0.options = []
            }
            tasks.append(manager.load(request))
        }
        // 100 different loads, their 100 images, the 10 prefixes that these share, and the 10 originals.
        try await until { manager.pipeline.images.count == 220 }
        gate.open()
        for task in tasks { #expect(try await task.response.image.pixels[0, 0].blue == 255) }
        #expect(transport.requests.count == 10)
        #expect(coder.decodes.count == 10)
        #expect(first.runs.count == 10)
        #expect(variants.map(\.runs.count) == [Int](repeating: 10, count: 10))
        try await until { manager.pipeline.images.finishedCount == 0 }
    }

    @Test("a pipeline shares its steps with requests that list them separately (B98)")
    func pipelines() async throws {
        let gate = Gate()
        let fixture = ManagerFixture(loader: .blocked(by: gate))
        let steps = ["A", "B"].map { InvertTransform(name: $0) }
        let transforms = steps.map { ImageTransform($0) }
        let pipeline = try ManagerFixture.request { $0.transforms = [.pipeline(transforms)] }
        let single = try ManagerFixture.request { $0.transforms = transforms }
        #expect(pipeline.key == single.key)
        let tasks = [pipeline, single].map { fixture.manager.load($0) }
        for task in tasks { await task.firstProgress() }
        gate.open()
        for task in tasks { _ = try await task.response }
        #expect(steps.map(\.runs.count) == [1, 1])
    }
}
