import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation
import TestSupport

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

    @Test("the first loader that accepts a request loads it")
    func first() async throws {
        for (url, name) in [("one://a", "first"), ("two://a", "second")] {
            let request = ImageRequest(try #require(URL(string: url)))
            #expect(chain.canLoad(request))
            #expect(try await chain.load(request, LoadRecorder().context).data == Data(name.utf8))
        }
    }

    @Test("a request that no loader accepts fails with an error that contains its scheme (X118, R028)")
    func unsupportedScheme() async throws {
        for (url, words) in [("ftp://user:secret@a/b", "ftp: URLs"), ("relative/path", "without a scheme")] {
            let request = ImageRequest(try #require(URL(string: url)))
            #expect(!chain.canLoad(request))
            await #expect {
                try await chain.load(request, LoadRecorder().context)
            } throws: { error in
                guard let error = error as? ImageError, error.code == .invalidURL else { return false }
                let text = error.message
                return text.contains(words) && !text.contains("secret")
            }
        }
    }

    @Test("an empty chain accepts no request")
    func empty() async throws {
        let request = ImageRequest(try #require(URL(string: "one://a")))
        #expect(!ImageLoaderChain([]).canLoad(request))
        await #expect(throws: ImageError.self) {
            try await ImageLoaderChain([]).load(request, LoadRecorder().context)
        }
    }

    /// A loader that waits until it is cancelled.
    private struct Endless: ImageLoading {
        let log: Recorder<String>

        func canLoad(_ request: ImageRequest) -> Bool { true }

        func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
            log.record("begun")
            do { try await Gate().wait() } catch { log.record("cancelled") }
            throw .cancelled
        }
    }

    @Test("cancelling reaches the chosen loader (X118, R028)", .timeLimit(.minutes(1)))
    func cancel() async throws {
        let log = Recorder<String>()
        let chain = ImageLoaderChain([Endless(log: log), Endless(log: log)])
        let request = ImageRequest(try #require(URL(string: "one://a")))
        let load = Task { () async -> ImageError? in
            do throws(ImageError) {
                _ = try await chain.load(request, LoadRecorder().context)
                return nil
            } catch {
                return error
            }
        }
        await log.wait(for: 1)
        load.cancel()
        #expect(await load.value == .cancelled)
        #expect(log.events == ["begun", "cancelled"])
    }

    @Test("if the chosen loader fails, no other is tried (X118)")
    func failure() async throws {
        let failing = ScriptedLoader { _, _ throws(ImageError) in throw .status(500) }
        let other = ScriptedLoader()
        let request = ImageRequest(try #require(URL(string: "one://a")))
        await #expect(throws: ImageError.status(500)) {
            try await ImageLoaderChain([failing, other]).load(request, LoadRecorder().context)
        }
        #expect(other.requests.isEmpty)
    }

    @Test("a loader accepts a request by all its properties, not only its URL (X115)")
    func wholeRequest() async throws {
        struct Frames: ImageLoading {
            func canLoad(_ request: ImageRequest) -> Bool { request.frame > 0 }
            func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
                LoadedData(data: Data("frame".utf8), source: .file)
            }
        }
        let chain = ImageLoaderChain([Frames(), Named(name: "rest", scheme: "one")])
        var request = ImageRequest(try #require(URL(string: "one://a")))
        #expect(try await chain.load(request, LoadRecorder().context).data == Data("rest".utf8))
        request.frame = 1
        #expect(try await chain.load(request, LoadRecorder().context).data == Data("frame".utf8))
    }
}
