#if OriginServer
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import easel

/// The cache on a file system without user attributes, which refused calls simulate on every machine.
@Suite(
    "Command on a file system without attributes",
    .enabled(if: RunningCommand.isBuilt, "the command easel is not built"), .refusingCalls)
struct WithoutAttributesTests {
    private static let refused = RefusedCalls(calls: RefusedCalls.attributes, error: "ENOTSUP")

    private static func response(_ headers: HTTPHeaders) throws -> OriginResponse {
        OriginResponse.bytes(try Noise.png(), type: "image/png").with(headers: headers)
    }

    /// Gets the image, with attributes or without, and returns its source.
    private func source(
        of origin: OriginServer, in folder: CommandFolder, _ options: [String] = [], hasAttributes: Bool = false
    ) async throws -> String? {
        let outcome = try await folder.run(
            ["get", "--json", origin.url("/a.png").absoluteString, "-o", folder.output] + options,
            through: hasAttributes ? [] : Self.refused.starter)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(try folder.outputData("a.png") == Noise.png())
        return outcome.objects.first?["source"] as? String
    }

    /// Returns the file of the only entry.
    private func entry(_ folder: CommandFolder) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.cache)
        return folder.cache + "/" + (try #require(names.first { $0.hasSuffix(".png") }))
    }

    @Test("validators are stored, and the image is revalidated")
    func validators() async throws {
        let response = try Self.response(["ETag": "\"1\"", "Cache-Control": "no-cache"])
        let origin = try await OriginServer.start { $0.respond("/a.png", with: response) }
        try await CommandFolder.with { folder in
            for expected in ["network", "disk"] {
                let actual = try await source(of: origin, in: folder, ["--policy", "http"])
                #expect(actual == expected)
            }
            #expect(origin.requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\""])
        }
        await origin.stop()
    }

    @Test("the freshness lifetime is stored, and the image is revalidated only after it", arguments: [600, 0])
    func expiry(age: Int) async throws {
        let response = try Self.response(["ETag": "\"1\"", "Cache-Control": "max-age=\(age)"])
        let origin = try await OriginServer.start { $0.respond("/a.png", with: response) }
        try await CommandFolder.with { folder in
            for _ in 0..<2 { _ = try await source(of: origin, in: folder, ["--policy", "http"]) }
            #expect(origin.requests.count == (age > 0 ? 1 : 2))
        }
        await origin.stop()
    }

    @Test("a changed byte is a miss, and the image is loaded again", arguments: [0, 20_000])
    func damage(offset: Int) async throws {
        let response = try Self.response([:])
        let origin = try await OriginServer.start { $0.respond("/a.png", with: response) }
        try await CommandFolder.with { folder in
            _ = try await source(of: origin, in: folder)
            var bytes = try #require(FileManager.default.contents(atPath: entry(folder)))
            bytes[bytes.startIndex + offset] ^= 1
            let handle = try #require(FileHandle(forWritingAtPath: entry(folder)))
            try handle.write(contentsOf: bytes)
            try handle.close()
            #expect(try await source(of: origin, in: folder) == "network")
            #expect(try await source(of: origin, in: folder) == "disk")
        }
        await origin.stop()
    }

    @Test("an interrupted download is resumed")
    func resumption() async throws {
        let response = try Self.response(["ETag": "\"1\""])
        let origin = try await OriginServer.start {
            $0.respond("/a.png", with: [response.with(faults: [.truncate(at: 200_000)]), response])
        }
        try await CommandFolder.with { folder in
            let url = origin.url("/a.png").absoluteString
            let broken = try await folder.run(
                ["get", "--retries", "0", url, "-o", folder.output], through: Self.refused.starter)
            #expect(broken.status == 1)
            #expect(try await source(of: origin, in: folder) == "network")
            #expect(origin.requests.last?.headers["Range"] == "bytes=200000-")
            #expect(try await source(of: origin, in: folder) == "disk")
        }
        await origin.stop()
    }

    @Test("a folder copied to a file system with attributes is still readable with its metadata")
    func copiedToAttributes() async throws {
        let response = try Self.response(["ETag": "\"1\"", "Cache-Control": "no-cache"])
        let origin = try await OriginServer.start { $0.respond("/a.png", with: response) }
        try await CommandFolder.with { folder in
            _ = try await source(of: origin, in: folder)
            #expect(
                try await source(of: origin, in: folder, ["--policy", "http"], hasAttributes: true) == "disk")
            #expect(origin.requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\""])
        }
        await origin.stop()
    }

    @Test("a folder copied from one with attributes has lost its checksums, so the image is loaded once more")
    func copiedFromAttributes() async throws {
        let response = try Self.response([:])
        let origin = try await OriginServer.start { $0.respond("/a.png", with: response) }
        try await CommandFolder.with { folder in
            var sources: [String?] = []
            for hasAttributes in [true, false, false, true] {
                sources.append(try await source(of: origin, in: folder, hasAttributes: hasAttributes))
            }
            #expect(sources == ["network", "network", "disk", "disk"])
        }
        await origin.stop()
    }
}
#endif
