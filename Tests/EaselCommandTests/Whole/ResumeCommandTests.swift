#if OriginServer
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import easel

@Suite("Interrupted downloads", .enabled(if: RunningCommand.isBuilt, "the command easel is not built"))
struct ResumeCommandTests {
    private func partSize(_ folder: CommandFolder) -> Int {
        let path = folder.cache + "/partial"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".part") }.reduce(0) { sum, name in
            sum + ((try? FileManager.default.attributesOfItem(atPath: path + "/" + name)[.size] as? Int) ?? 0)
        }
    }

    @Test(
        "after kill -9, the next run requests the rest of a download", .timeLimit(.minutes(1)),
        .enabled(if: FileChanges.areReported, "this system does not report changed files of other processes"))
    func kill() async throws {
        let image = try Noise.png()
        let response = OriginResponse.bytes(image, type: "image/png").with(headers: ["ETag": "\"1\""])
        let origin = try await OriginServer.start {
            $0.respond("/a.png", with: [response.with(faults: [.holdBody(Gate(), at: 200_000)]), response])
        }
        try await CommandFolder.with { folder in
            let arguments = ["get", origin.url("/a.png").absoluteString, "-o", folder.output]
            try FileManager.default.createDirectory(
                atPath: folder.cache + "/partial", withIntermediateDirectories: true)
            let changes = try #require(FileChanges(in: folder.cache + "/partial"))
            let running = try RunningCommand(arguments, environment: ["EASEL_CACHE_DIR": folder.cache])
            // The server holds the rest, so no more bytes can arrive.
            while partSize(folder) < 200_000 { await changes.next() }
            running.kill()
            _ = await running.outcome()
            #expect(try await folder.run(arguments).status == 0)
            #expect(folder.outputData("a.png") == image)
            #expect(origin.requests.map { $0.headers["Range"] } == [nil, "bytes=200000-"])
            #expect(partSize(folder) == 0)
        }
        await origin.stop()
    }

    @Test("clearing the cache removes partial downloads")
    func clear() async throws {
        let response = OriginResponse.bytes(try Noise.png(), type: "image/png").with(headers: ["ETag": "\"1\""])
        let origin = try await OriginServer.start {
            $0.respond("/a.png", with: response, faults: [.truncate(at: 200_000)])
        }
        try await CommandFolder.with { folder in
            let outcome = try await folder.run([
                "get", "--retries", "0", origin.url("/a.png").absoluteString, "-o", folder.output,
            ])
            #expect(partSize(folder) >= 200_000, "\(outcome.errors)")
            _ = try await folder.run(["cache", "clear"])
            #expect(partSize(folder) == 0)
        }
        await origin.stop()
    }
}
#endif
