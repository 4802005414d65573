#if OriginServer
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import easel

@Suite(
    "Clearing parts of the cache by the command",
    .enabled(if: RunningCommand.isBuilt, "the command has to be built beside the tests"))
struct CacheClearCommandTests {
    private func listed(_ folder: CommandFolder) async throws -> [String] {
        try await folder.run(["cache", "list", "--json"]).objects.compactMap { $0["url"] as? String }
    }

    @Test("--tag removes the images of get --tag, --url those of one URL, and the others stay")
    func clear() async throws {
        let names = ["/a.png", "/b.png", "/c.png"]
        let origin = try await OriginServer.start {
            for name in names { $0.respond(name, with: .image(.gradient(8, 8))) }
        }
        try await CommandFolder.with { folder in
            let urls = names.map { origin.url($0).absoluteString }
            for (url, tags) in zip(urls, [[], ["--tag", "album"], []]) {
                let result = try await folder.run(["get", url, "-o", folder.output] + tags)
                #expect(result.status == 0)
            }
            var remaining = try await listed(folder)
            #expect(remaining == urls)
            let byTag = try await folder.run(["cache", "clear", "--tag", "album"])
            #expect(byTag.status == 0)
            remaining = try await listed(folder)
            #expect(remaining == [urls[0], urls[2]])
            let byURL = try await folder.run(["cache", "clear", "--url", urls[0]])
            #expect(byURL.status == 0)
            remaining = try await listed(folder)
            #expect(remaining == [urls[2]])
        }
        await origin.stop()
    }
}
#endif
