import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("The policies forever and offline, and refreshes (S081, R002)")
struct OtherPoliciesTests {
    /// Returns the events of a load, with the value of each image.
    private func events(_ fixture: PolicyFixture, _ request: ImageRequest) async throws -> [String] {
        var texts: [String] = []
        for await event in fixture.manager.load(request).events {
            switch event {
            case .cached(let response): texts.append("cached \(response.image.pixels[0, 0].blue)")
            case .finished(.success(let response)):
                texts.append("finished \(response.image.pixels[0, 0].blue) \(response.timeline.requests)")
            case .finished(.failure(let error)): texts.append("failed \(error.code)")
            case .progress, .preview: break
            }
        }
        return texts
    }

    private func refresh(
        _ fixture: PolicyFixture, _ policy: CachePolicy = .forever,
        _ configure: (inout ImageRequest) -> Void = { _ in }
    ) throws -> ImageRequest {
        try fixture.request(policy) {
            $0.options.insert(.refreshCached)
            configure(&$0)
        }
    }

    @Test("the forever policy stores a no-store response and never revalidates it")
    func forever() async throws {
        let fixture = PolicyFixture("no-store, max-age=0")
        _ = try await fixture.value(fixture.request(.forever))
        fixture.clock.advance(by: .seconds(1000 * 86_400))
        fixture.server.replace()
        #expect(try await fixture.value(fixture.request(.forever)) == 255)
        #expect(try await fixture.value(fixture.anotherProcess(), fixture.request(.forever)) == 255)
        #expect(fixture.server.conditionals == [false])
    }

    @Test("a response stored under the forever policy is revalidated under the standard policy")
    func foreverThenStandard() async throws {
        let fixture = PolicyFixture("max-age=60")
        _ = try await fixture.value(fixture.request(.forever))
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .seconds(61))
        _ = try await fixture.value(fixture.request())
        #expect(fixture.server.conditionals == [false, true])
    }

    @Test("the offline policy uses a response of any age and sends no request")
    func offline() async throws {
        let fixture = PolicyFixture("no-cache")
        #expect(await fixture.manager.load(try fixture.request(.offline)).outcome.error == .notCached)
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .seconds(1000 * 86_400))
        #expect(try await events(fixture, refresh(fixture, .offline)) == ["finished 255 0"])
        #expect(try await fixture.value(fixture.anotherProcess(), fixture.request(.offline)) == 255)
        #expect(fixture.server.conditionals == [false])
    }

    @Test("only-if-cached in a request is respected (RFC 9111 5.2.1.7)")
    func onlyIfCached() async throws {
        let fixture = PolicyFixture("max-age=60")
        let request = try fixture.request { $0.http.headers["Cache-Control"] = "only-if-cached" }
        #expect(await fixture.manager.load(request).outcome.error == .notCached)
        #expect(fixture.server.conditionals.isEmpty)
    }

    @Test("only-if-cached sends no request for a fresh response whose image the cache has lost")
    func onlyIfCachedAfterEviction() async throws {
        let fixture = PolicyFixture("max-age=60")
        _ = try await fixture.value(fixture.request())
        try await fixture.cache.removeAll(from: .all)
        let request = try fixture.request { $0.http.headers["Cache-Control"] = "only-if-cached" }
        #expect(await fixture.manager.load(request).outcome.error == .notCached)
        #expect(fixture.server.conditionals == [false])
    }

    @Test(
        "a refresh without a change delivers the same image twice, with one request and no new decode (S096, P008)",
        arguments: [CachePolicy.forever, .standard])
    func unchanged(policy: CachePolicy) async throws {
        let fixture = PolicyFixture("max-age=60")
        _ = try await fixture.value(fixture.request(policy))
        #expect(try await events(fixture, refresh(fixture, policy)) == ["cached 255", "finished 255 1"])
        #expect(fixture.server.conditionals == [false, true])
        #expect(fixture.coder.decodes.count == 1)
    }

    @Test("a refresh without a change decodes the file once if the image is not in memory")
    func unchangedWithoutMemory() async throws {
        let fixture = PolicyFixture("max-age=60")
        let request = try refresh(fixture) {
            $0.cache.store = .disk
            $0.cache.query = .disk
        }
        _ = try await fixture.value(request)
        #expect(try await events(fixture, request) == ["cached 255", "finished 255 1"])
        #expect(fixture.coder.decodes.count == 2)
    }

    @Test("a refresh with a change delivers both images (X047)")
    func changed() async throws {
        let fixture = PolicyFixture("max-age=60")
        _ = try await fixture.value(fixture.request(.forever))
        fixture.server.replace(value: 7)
        #expect(try await events(fixture, refresh(fixture)) == ["cached 255", "finished 7 1"])
        #expect(try await events(fixture, fixture.request(.forever)) == ["finished 7 0"])
        #expect(fixture.server.conditionals == [false, true])
    }

    @Test("a refresh of an uncached image is a normal load")
    func nothingCached() async throws {
        let fixture = PolicyFixture("max-age=60")
        #expect(try await events(fixture, refresh(fixture)) == ["finished 255 1"])
        #expect(fixture.server.conditionals == [false])
    }

    @Test("a refresh that fails delivers the cached image and then the error (X047)")
    func failed() async throws {
        let fixture = PolicyFixture("max-age=60")
        _ = try await fixture.value(fixture.request(.forever))
        fixture.server.change { $0.error = .status(500) }
        #expect(try await events(fixture, refresh(fixture)) == ["cached 255", "failed status"])
    }

    @Test("a refresh downloads a file again if it has no stored response")
    func unknown() async throws {
        let fixture = PolicyFixture("max-age=60")
        let request = try refresh(fixture)
        fixture.cache.put(TestCoder.file(value: 3), for: request.originalKey)
        #expect(try await events(fixture, request) == ["cached 3", "finished 255 1"])
        #expect(fixture.server.conditionals == [false])
    }

    @Test("a refresh does not revalidate an immutable response (RFC 8246 2)")
    func immutable() async throws {
        let fixture = PolicyFixture("max-age=60, immutable")
        _ = try await fixture.value(fixture.request())
        #expect(try await events(fixture, refresh(fixture, .standard)) == ["cached 255", "finished 255 0"])
        #expect(fixture.coder.decodes.count == 1)
    }
}
