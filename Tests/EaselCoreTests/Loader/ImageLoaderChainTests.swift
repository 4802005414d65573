import Testing

@testable import EaselCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Loader chain")
struct ImageLoaderChainTests {
    private struct Named: ImageLoading {
        let name: String
        let scheme: String

        func canLoad(_ request: ImageRequest) -> Bool { request.url.scheme == scheme }

        func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
            LoadedData(data: Data(name.utf8), source: .file)
        }
    }

    private let chain = ImageLoaderChain([
        Named(name: "first", scheme: "one"), Named(name: "second", scheme: "two"), Named(name: "third", scheme: "one"),
    ])

    @Test("the first that takes a request loads it")
    func first() async throws {
        for (url, name) in [("one://a", "first"), ("two://a", "second")] {
            let request = ImageRequest(try #require(URL(string: url)))
            #expect(chain.canLoad(request))
            #expect(try await chain.load(request, LoadRecorder().context).data == Data(name.utf8))
        }
    }

    @Test("a request that nobody takes ends with an error that names its scheme, never in silence (X118, R028)")
    func nobody() async throws {
        for (url, words) in [("ftp://user:secret@a/b", "ftp: URLs"), ("relative/path", "without a scheme")] {
            let request = ImageRequest(try #require(URL(string: url)))
            #expect(!chain.canLoad(request))
            await #expect {
                try await chain.load(request, LoadRecorder().context)
            } throws: { error in
                guard case .invalidURL(let text) = error as? ImageError else { return false }
                return text.contains(words) && !text.contains("secret")
            }
        }
    }

    @Test("an empty chain takes nothing")
    func empty() async throws {
        let request = ImageRequest(try #require(URL(string: "one://a")))
        #expect(!ImageLoaderChain([]).canLoad(request))
        await #expect(throws: ImageError.self) {
            try await ImageLoaderChain([]).load(request, LoadRecorder().context)
        }
    }
}
