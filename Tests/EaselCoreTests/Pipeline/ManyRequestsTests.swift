import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("Manager: many requests for few images", .timeLimit(.minutes(10)))
struct ManyRequestsTests {
    @Test(
        "1,000 requests for 10 URLs x 10 variants: 10 downloads, 10 decodes, 100 variants made once (B56, B57, B67)")
    func thousand() async throws {
        let gate = Gate()
        let fixture = ManagerFixture(loader: .blocked(by: gate))
        let variants = (0..<10).map { InvertTransform(name: "Variant \($0)") }
        var generator = SeededGenerator(seed: 1)
        let requests = try (0..<1_000).map { number in
            try ManagerFixture.request("http://example.com/\(number % 10).test") {
                $0.transforms = [ImageTransform(variants[number / 10 % 10])]
            }
        }
        let tasks = requests.shuffled(using: &generator).map { fixture.manager.load($0) }
        // A load that receives progress has joined the shared work (B61).
        for task in tasks { await task.firstProgress() }
        gate.open()
        for task in tasks { #expect(try await task.response.image.pixels[0, 0].blue == 0) }
        #expect(fixture.loader.requests.count == 10)
        #expect(fixture.coder.decodes.count == 10)
        #expect(variants.map(\.runs.count) == Array(repeating: 10, count: 10))
        for request in requests {
            #expect(try await fixture.manager.load(request).response.source == .memory)
        }
        #expect(fixture.loader.requests.count == 10 && fixture.coder.decodes.count == 10)
        #expect(!fixture.manager.isRunning)
        try await until { fixture.manager.pipeline.images.finishedCount == 0 }
    }
}
