import Testing

@testable import EaselCore

import EaselFoundation

private struct Trouble: Error {}

private struct AlbumLoader: SchemeLoading {
    let scheme = "album"

    func data(for url: URL) async throws -> Data {
        switch url.lastPathComponent {
        case "missing": throw Trouble()
        case "gone": throw ImageError.status(410)
        case "cancelled": throw CancellationError()
        case "empty": Data()
        default: Data(count: 20)
        }
    }
}

@Suite("Custom loaders for a scheme (X115)")
struct SchemeLoadingTests {
    private func load(_ name: String, limit: Int = 100) async throws(ImageError) -> LoadedData {
        guard let url = URL(string: "album://1/\(name)") else { throw .invalidURL(name) }
        return try await AlbumLoader().load(ImageRequest(url) { $0.limits.bytes = limit }, LoadRecorder().context)
    }

    @Test("only the loader's scheme is accepted, in any case")
    func schemes() throws {
        for (url, taken) in [("album://1/a", true), ("ALBUM:a", true), ("albums:a", false), ("http://album/", false)] {
            #expect(AlbumLoader().canLoad(ImageRequest(try #require(URL(string: url)))) == taken)
        }
    }

    @Test("the loaded bytes may be stored")
    func loads() async throws {
        let loaded = try await load("a")
        #expect(loaded.data.count == 20 && loaded.source.isWorthStoring)
    }

    @Test(
        "errors are converted to library errors",
        arguments: [
            ("missing", ImageError.Code.unreadable), ("gone", .status), ("cancelled", .cancelled), ("empty", .badData),
        ])
    func errors(name: String, code: ImageError.Code) async throws {
        await #expect { try await load(name) } throws: { ($0 as? ImageError)?.code == code }
    }

    @Test("data over the request's byte limit is refused")
    func limit() async throws {
        await #expect(throws: ImageError.tooLarge(.bytes(20, limit: 19))) { try await load("a", limit: 19) }
        _ = try await load("a", limit: 20)
    }
}

@Suite("Bundle loader")
struct BundleLoaderTests {
    @Test(
        "a resource is loaded by its name in the folder",
        arguments: ["bundle:a%20b/c.png", "bundle:///a%20b/c.png", "BUNDLE:/a%20b/c.png?x#y"])
    func loadsResource(url: String) async throws {
        try await TemporaryFolder.with { folder in
            try folder.makeFolder("a b")
            try folder.write(0..<9, to: "a b/c.png")
            let request = ImageRequest(try #require(URL(string: url)))
            let loader = BundleLoader(folder: folder.path)
            #expect(loader.canLoad(request))
            let loaded = try await loader.load(request, LoadRecorder().context)
            #expect(loaded.data == Data(0..<9) && loaded.source == .file)
        }
    }

    @Test(
        "a path outside the folder is refused",
        arguments: ["bundle:", "bundle:../a", "bundle:a/../../b", "bundle:%2e%2e/a", "bundle:a%00b", "bundle:./a"])
    func outside(url: String) async throws {
        try await TemporaryFolder.with { folder in
            let request = ImageRequest(try #require(URL(string: url)))
            await #expect {
                try await BundleLoader(folder: folder.path).load(request, LoadRecorder().context)
            } throws: {
                ($0 as? ImageError)?.code == .invalidURL
            }
        }
    }

    @Test("a missing resource is unreadable")
    func missing() async throws {
        let request = ImageRequest(try #require(URL(string: "bundle:no-such-image.png")))
        await #expect { try await BundleLoader().load(request, LoadRecorder().context) } throws: {
            ($0 as? ImageError)?.code == .unreadable
        }
        #expect(!BundleLoader().canLoad(ImageRequest(try #require(URL(string: "http://bundle/a")))))
    }
}
