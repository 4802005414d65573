#if OriginServer
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import easel

@Suite(
    "Alternatives of the command",
    .enabled(if: RunningCommand.isBuilt, "the command has to be built beside the tests"))
struct AlternativeCommandTests {
    @Test("get --alternative writes the first image that can be loaded, and the cache answers the next run")
    func alternative() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/b.png", with: .status(500))
            $0.respond("/c.png", with: .image(.gradient(8, 6)))
        }
        try await CommandFolder.with { folder in
            let arguments = [
                "get", "--json", origin.url("/a.png").absoluteString, "--retries", "0", "-o", folder.output,
                "--alternative", origin.url("/b.png").absoluteString,
                "--alternative", origin.url("/c.png").absoluteString,
            ]
            let first = try await folder.run(arguments)
            #expect(first.status == 0)
            #expect(first.objects.first?["width"] as? Int == 8)
            #expect(origin.requests.map(\.path) == ["/a.png", "/b.png", "/c.png"])
            let second = try await folder.run(arguments)
            #expect(second.objects.first?["source"] as? String == "disk")
            #expect(origin.requests.count == 3)
        }
        await origin.stop()
    }
}
#endif
