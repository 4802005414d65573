import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("Standard cache policy (RFC 9111)", .timeLimit(.minutes(1)))
struct StandardPolicyTests {
    @Test("a fresh image comes from memory, and from disk in another process (B86)")
    func fresh() async throws {
        let fixture = PolicyFixture("max-age=60")
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .seconds(50))
        let again = try await fixture.manager.load(fixture.request()).response
        #expect(again.source == .memory)
        let other = try await fixture.anotherProcess().load(fixture.request()).response
        #expect(other.source == .disk && other.timeline.requests == 0 && !other.timeline.isCoalesced)
        #expect(fixture.server.conditionals == [false])
    }

    @Test("a stale image is revalidated once, and used without a new decode after a 304 (B86)")
    func notModified() async throws {
        let fixture = PolicyFixture("max-age=60")
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .seconds(61))
        let again = try await fixture.manager.load(fixture.request()).response
        #expect(again.source == .memory && again.timeline.requests == 1)
        #expect(fixture.server.conditionals == [false, true])
        #expect(fixture.coder.decodes.count == 1)
    }

    @Test("another process revalidates with the response on disk, and reads the file once")
    func notModifiedOnDisk() async throws {
        let fixture = PolicyFixture("max-age=60")
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .seconds(61))
        let readsBefore = fixture.cache.readCount
        let response = try await fixture.anotherProcess().load(fixture.request()).response
        #expect(response.source == .disk && response.timeline.requests == 1)
        #expect(fixture.server.conditionals == [false, true])
        #expect(fixture.cache.readCount == readsBefore + 1)
    }

    @Test("a 304 makes the image fresh again, in this process and on disk (4.3.4)")
    func extended() async throws {
        let fixture = PolicyFixture("max-age=60")
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .seconds(61))
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .seconds(50))
        _ = try await fixture.value(fixture.request())
        // A load does not wait until the 304 is stored.
        await fixture.manager.finishRefreshes()
        _ = try await fixture.value(fixture.anotherProcess(), fixture.request())
        #expect(fixture.server.conditionals == [false, true])
    }

    @Test("a new version replaces every size in memory and on disk, for every policy")
    func replaced() async throws {
        let fixture = PolicyFixture("max-age=60")
        for size in [TargetSize.original, .small, .tiny] {
            #expect(try await fixture.value(fixture.request { $0.targetSize = size }) == 255)
        }
        fixture.clock.advance(by: .seconds(61))
        fixture.server.replace(value: 7)
        for size in [TargetSize.tiny, .small, .original] {
            #expect(try await fixture.value(fixture.request { $0.targetSize = size }) == 7)
            #expect(try await fixture.value(fixture.request(.forever) { $0.targetSize = size }) == 7)
        }
        #expect(fixture.server.conditionals == [false, true])
    }

    @Test("a variant on disk is not used after another process has replaced its original")
    func replacedElsewhere() async throws {
        let fixture = PolicyFixture("max-age=60")
        _ = try await fixture.value(fixture.request { $0.targetSize = .small })
        fixture.clock.advance(by: .seconds(61))
        fixture.server.replace(value: 7)
        _ = try await fixture.value(fixture.anotherProcess(), fixture.request())
        let third = fixture.anotherProcess()
        #expect(try await fixture.value(third, fixture.request(.forever) { $0.targetSize = .small }) == 7)
        #expect(fixture.server.conditionals == [false, true])
    }

    @Test("an image decoded from a replaced original is not used")
    func lateDecode() async throws {
        let fixture = PolicyFixture("max-age=60")
        let request = try fixture.request()
        _ = try await fixture.value(request)
        let old = try #require(fixture.cache.image(for: request.key))
        fixture.clock.advance(by: .seconds(61))
        fixture.server.replace(value: 7)
        _ = try await fixture.value(request)
        fixture.cache.store(old, for: request.key)
        #expect(try await fixture.value(fixture.request(.forever)) == 7)
    }

    @Test("a response that cannot be decoded replaces nothing")
    func undecodable() async throws {
        let fixture = PolicyFixture("max-age=60")
        let request = try fixture.request()
        _ = try await fixture.value(request)
        fixture.clock.advance(by: .seconds(61))
        fixture.server.change {
            $0.file = Data("no image".utf8)
            $0.headers["ETag"] = "\"2\""
        }
        #expect(await fixture.manager.load(request).outcome.error?.code == .badData)
        #expect(try await fixture.value(fixture.request(.forever)) == 255)
        #expect(fixture.cache.files[request.originalKey] == TestCoder.file())
    }

    @Test("several stale sizes are revalidated with one request")
    func oneRequest() async throws {
        let fixture = PolicyFixture("max-age=60")
        let sizes: [TargetSize] = [.original, .small, .tiny]
        for size in sizes { _ = try await fixture.value(fixture.request { $0.targetSize = size }) }
        fixture.clock.advance(by: .seconds(61))
        let gate = Gate()
        fixture.server.change { $0.gate = gate }
        let tasks = try sizes.map { size in fixture.manager.load(try fixture.request { $0.targetSize = size }) }
        for task in tasks { await task.firstProgress() }
        gate.open()
        var requests = 0
        for task in tasks { requests += try await task.response.timeline.requests }
        #expect(fixture.server.conditionals == [false, true])
        #expect(requests == 1)
    }

    @Test("a no-store response is not cached in any size (5.2.2.5)")
    func noStore() async throws {
        let fixture = PolicyFixture("no-store")
        for _ in 0..<2 {
            _ = try await fixture.value(fixture.request())
            _ = try await fixture.value(fixture.request { $0.targetSize = .small })
        }
        #expect(fixture.cache.files.isEmpty && fixture.cache.imageKeys.isEmpty)
        #expect(fixture.server.conditionals == [false, false, false, false])
    }

    @Test("a no-store response removes the file that it replaces")
    func noStoreReplaces() async throws {
        let fixture = PolicyFixture("max-age=60")
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .seconds(61))
        fixture.server.replace()
        fixture.server.change { $0.headers["Cache-Control"] = "no-store" }
        #expect(try await fixture.value(fixture.request()) == 7)
        #expect(fixture.cache.files.isEmpty)
    }

    @Test("a no-cache response is stored and always revalidated (5.2.2.4)")
    func noCache() async throws {
        let fixture = PolicyFixture("no-cache")
        for _ in 0..<3 { _ = try await fixture.value(fixture.request()) }
        #expect(fixture.server.conditionals == [false, true, true])
        #expect(fixture.coder.decodes.count == 1)
    }

    @Test("a response to a request with other Vary fields is a miss (4.1, B88)")
    func vary() async throws {
        let fixture = PolicyFixture("max-age=60")
        fixture.server.change { $0.headers["Vary"] = "Accept-Language" }
        let german = try fixture.request { $0.http.headers["Accept-Language"] = "de" }
        let french = try fixture.request { $0.http.headers["Accept-Language"] = "fr" }
        _ = try await fixture.value(german)
        _ = try await fixture.value(german)
        _ = try await fixture.value(french)
        #expect(fixture.server.conditionals == [false, false])
    }

    @Test("a stale response without validators is downloaded again")
    func noValidators() async throws {
        let fixture = PolicyFixture("max-age=60")
        fixture.server.change { $0.headers["ETag"] = nil }
        _ = try await fixture.value(fixture.request())
        fixture.clock.advance(by: .seconds(61))
        _ = try await fixture.value(fixture.request())
        #expect(fixture.server.conditionals == [false, false])
    }

    @Test("data from a loader without HTTP responses is never fresh")
    func plainLoader() async throws {
        let fixture = PolicyFixture("")
        fixture.server.change { $0.isPlain = true }
        for _ in 0..<2 { _ = try await fixture.value(fixture.request()) }
        #expect(fixture.server.conditionals == [false, false])
    }

    @Test("a load of the original file revalidates it")
    func originalData() async throws {
        let fixture = PolicyFixture("max-age=60")
        _ = try await fixture.manager.data(for: fixture.request())
        fixture.clock.advance(by: .seconds(61))
        let again = try await fixture.manager.data(for: fixture.request())
        #expect(again.source == .disk && again.timeline.requests == 1 && again.data == TestCoder.file())
        fixture.clock.advance(by: .seconds(61))
        fixture.server.replace(value: 7)
        #expect(try await fixture.manager.data(for: fixture.request()).data == TestCoder.file(value: 7))
        #expect(fixture.server.conditionals == [false, true, true])
    }

    @Test("a variant stored without its original is revalidated with the response stored with it")
    func variantAlone() async throws {
        let fixture = PolicyFixture("max-age=60")
        let request = try fixture.request {
            $0.targetSize = .small
            $0.cache.storeOriginal = []
        }
        _ = try await fixture.value(request)
        fixture.clock.advance(by: .seconds(61))
        let other = fixture.anotherProcess()
        #expect(try await other.load(request).response.source == .disk)
        fixture.clock.advance(by: .seconds(50))
        await other.finishRefreshes()
        _ = try await fixture.value(fixture.anotherProcess(), request)
        #expect(fixture.server.conditionals == [false, true])
    }

    @Test("a first frame stored without its original is revalidated with the response stored with it")
    func firstFrameAlone() async throws {
        let fixture = PolicyFixture("max-age=60")
        let request = try fixture.request {
            $0.targetSize = .small
            $0.options.insert(.decodeFirstFrameOnly)
            $0.cache.storeOriginal = []
        }
        _ = try await fixture.value(request)
        #expect(try await fixture.anotherProcess().load(request).response.source == .disk)
        #expect(fixture.server.conditionals == [false])
        fixture.clock.advance(by: .seconds(61))
        let other = fixture.anotherProcess()
        #expect(try await other.load(request).response.source == .disk)
        fixture.clock.advance(by: .seconds(50))
        await other.finishRefreshes()
        _ = try await fixture.value(fixture.anotherProcess(), request)
        #expect(fixture.server.conditionals == [false, true])
    }

    @Test("a transform is not applied to a stale image")
    func transforms() async throws {
        let fixture = PolicyFixture("max-age=60")
        let invert = ImageTransform(InvertTransform())
        _ = try await fixture.value(fixture.request { $0.targetSize = .small })
        fixture.clock.advance(by: .seconds(61))
        fixture.server.replace(value: 7)
        let request = try fixture.request {
            $0.targetSize = .small
            $0.transforms = [invert]
        }
        #expect(try await fixture.value(request) == 248)
    }
}
