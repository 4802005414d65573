import EaselTesting
import FoundationEssentials
import Testing

@testable import EaselCore

@Suite("The policies forever and offline, and refreshes (S081, R002)")
struct OtherPoliciesTests {
    /// What happened, with the value of each image.
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

    @Test("for ever is for ever: no-store is kept, and nothing is asked about")
    func forever() async throws {
        let fixture = PolicyFixture("no-store, max-age=0")
        _ = try await fixture.value(fixture.request(.forever))
        fixture.clock.advance(by: .days(1000))
        fixture.server.replace()
        #expect(try await fixture.value(fixture.request(.forever)) == 255)
        #expect(try await fixture.value(fixture.anotherProcess(), fixture.request(.forever)) == 255)
        #expect(fixture.server.questions == [false])
    }

    @Test("what was kept for ever is held to the protocol by who asks for that")
    func foreverThenStandard() async throws {
        let fixture = PolicyFixture("max-age=60")
        _ = try await fixture.value(fixture.request(.forever))
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .seconds(61))
        _ = try await fixture.value(fixture.request())
        #expect(fixture.server.questions == [false, true])
    }

    @Test("offline uses what there is, however old, and asks nobody")
    func offline() async throws {
        let fixture = PolicyFixture("no-cache")
        #expect(await fixture.manager.load(try fixture.request(.offline)).outcome.error == .notCached)
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .days(1000))
        #expect(try await events(fixture, refresh(fixture, .offline)) == ["finished 255 0"])
        #expect(try await fixture.value(fixture.anotherProcess(), fixture.request(.offline)) == 255)
        #expect(fixture.server.questions == [false])
    }

    @Test("only-if-cached of a request is heeded (RFC 9111 5.2.1.7)")
    func onlyIfCached() async throws {
        let fixture = PolicyFixture("max-age=60")
        let request = try fixture.request { $0.http.headers["Cache-Control"] = "only-if-cached" }
        #expect(await fixture.manager.load(request).outcome.error == .notCached)
        #expect(fixture.server.questions.isEmpty)
    }

    @Test(
        "a refresh that finds no change gives the same image twice, with one question and no new decode (S096, P008)",
        arguments: [CachePolicy.forever, .standard])
    func unchanged(policy: CachePolicy) async throws {
        let fixture = PolicyFixture("max-age=60")
        _ = try await fixture.value(fixture.request(policy))
        #expect(try await events(fixture, refresh(fixture, policy)) == ["cached 255", "finished 255 1"])
        #expect(fixture.server.questions == [false, true])
        #expect(fixture.coder.decodes.count == 1)
    }

    @Test("the same for one that memory does not keep: its file is decoded once")
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

    @Test("a refresh that finds another image gives both (X047)")
    func changed() async throws {
        let fixture = PolicyFixture("max-age=60")
        _ = try await fixture.value(fixture.request(.forever))
        fixture.server.replace(value: 7)
        #expect(try await events(fixture, refresh(fixture)) == ["cached 255", "finished 7 1"])
        #expect(try await events(fixture, fixture.request(.forever)) == ["finished 7 0"])
        #expect(fixture.server.questions == [false, true])
    }

    @Test("a refresh of what is not cached is a load")
    func nothingCached() async throws {
        let fixture = PolicyFixture("max-age=60")
        #expect(try await events(fixture, refresh(fixture)) == ["finished 255 1"])
        #expect(fixture.server.questions == [false])
    }

    @Test("a refresh that fails shows what there is, and then fails (X047)")
    func failed() async throws {
        let fixture = PolicyFixture("max-age=60")
        _ = try await fixture.value(fixture.request(.forever))
        fixture.server.change { $0.error = .status(500) }
        #expect(try await events(fixture, refresh(fixture)) == ["cached 255", "failed status"])
    }

    @Test("a file that came before there was anything to ask with is loaded anew")
    func unknown() async throws {
        let fixture = PolicyFixture("max-age=60")
        let request = try refresh(fixture)
        fixture.cache.put(TestCoder.file(value: 3), for: request.originalKey)
        #expect(try await events(fixture, request) == ["cached 3", "finished 255 1"])
        #expect(fixture.server.questions == [false])
    }

    @Test("what is immutable is not even asked about by a refresh (RFC 8246 2)")
    func immutable() async throws {
        let fixture = PolicyFixture("max-age=60, immutable")
        _ = try await fixture.value(fixture.request())
        #expect(try await events(fixture, refresh(fixture, .standard)) == ["cached 255", "finished 255 0"])
        #expect(fixture.coder.decodes.count == 1)
    }
}
