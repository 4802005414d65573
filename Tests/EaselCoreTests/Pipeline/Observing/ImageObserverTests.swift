import EaselTesting
import FoundationEssentials
import Testing

@testable import EaselCore

@Suite("Manager: what its observer hears", .timeLimit(.minutes(1)))
struct ImageObserverTests {
    private let log = EventLog()
    private let transport = FakeTransport()
    private let coder = TestCoder()

    private func manager(_ loader: (any ImageLoading)? = nil) -> ImageManager {
        var configuration = ImageManager.Configuration()
        configuration.cache = ScriptedCache()
        configuration.loader = loader ?? ImageDownloader(transport: transport, clock: ManualClock())
        configuration.coders = CoderRegistry(decoders: [coder], encoders: [coder])
        configuration.observer = log
        return ImageManager(configuration: configuration)
    }

    @Test("each stage of a load in its order, begun and ended; then the load from memory, which has none (S170)")
    func stages() async throws {
        transport.respond("http://example.com/a.test", with: .bytes(TestCoder.file()))
        let manager = manager()
        let request = try ManagerFixture.request { $0.transforms = [ImageTransform(InvertTransform())] }
        _ = try await manager.load(request).response
        // How often the cache is asked on the way is its own affair.
        #expect(
            log.lines.filter { !$0.contains("disk") } == [
                "load", "+queued", "-queued", "started", "+firstByte", "-firstByte", "responded 200", "+transfer",
                "-transfer", "finished 7", "+decode", "-decode", "+store", "-store", "+transform", "-transform",
                "+store", "-store", "loaded from network",
            ])
        #expect(log.lines.contains("-disk, missed"))
        #expect(log.lines.first == "load")
        #expect(log.lines.last == "loaded from network")
        #expect(log.isBalanced)
        let count = log.lines.count
        _ = try await manager.load(request).response
        #expect(log.lines.dropFirst(count) == ["load", "loaded from memory"])
    }

    @Test("what shares a download: two loads, one of each stage (S007)")
    func sharing() async throws {
        let gate = Gate()
        transport.respond(
            "http://example.com/a.test", with: .response(body: [.hold(gate), .bytes(TestCoder.file())]))
        let manager = manager()
        let first = manager.load(try ManagerFixture.request())
        let second = manager.load(try ManagerFixture.request())
        await first.firstProgress()
        await second.firstProgress()
        gate.open()
        _ = try await (first.response, second.response)
        #expect(log.lines.count { $0 == "load" } == 2)
        #expect(log.lines.count { $0 == "+firstByte" } == 1)
        #expect(log.lines.count { $0 == "+decode" } == 1)
        let ends = log.lines.filter { $0.hasPrefix("loaded") }.sorted()
        #expect(ends == ["loaded from network", "loaded from network, shared"])
        #expect(log.isBalanced)
    }

    @Test("a cancelled load ends, and so do the stages and the download that nobody else waits for (S165)")
    func cancellation() async throws {
        transport.respond("http://example.com/a.test", with: .response(body: [.hold(Gate())]))
        let manager = manager()
        let task = manager.load(try ManagerFixture.request())
        await task.firstProgress()
        task.cancel()
        #expect(await task.outcome.error == .cancelled)
        await eventually { log.lines.contains("stopped: cancelled") }
        #expect(log.lines.contains("-transfer, cancelled"))
        #expect(log.lines.contains("failed: cancelled"))
        #expect(log.isBalanced)
    }

    @Test("a file that does not decode: the stage fails, and the load")
    func failure() async throws {
        let manager = manager(ScriptedLoader(file: Data("TEST".utf8)))
        _ = await manager.load(try ManagerFixture.request()).outcome
        #expect(log.lines.suffix(3) == ["+decode", "-decode, badData", "failed: badData"])
        #expect(log.isBalanced)
    }

    @Test("the file alone is a load too")
    func file() async throws {
        let manager = manager(ScriptedLoader())
        _ = try await manager.data(for: try ManagerFixture.request())
        #expect(log.lines.first == "load")
        #expect(log.lines.last == "loaded from network")
        #expect(log.isBalanced)
    }

    @Test("several observers hear the same")
    func list() async throws {
        let others = [EventLog(), EventLog()]
        var configuration = ImageManager.Configuration()
        configuration.cache = ScriptedCache(failure: .unreadable(path: "/", reason: ""))
        configuration.loader = ScriptedLoader()
        configuration.coders = CoderRegistry(decoders: [coder], encoders: [coder])
        let warnings = WarningLog()
        configuration.observer = ImageObserverList(others + [warnings])
        let manager = ImageManager(configuration: configuration)
        _ = try await manager.load(try ManagerFixture.request()).response
        #expect(others[0].lines == others[1].lines)
        #expect(others[0].lines.contains("loaded from network"))
        #expect(!warnings.warnings.isEmpty)
    }
}
