import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("Manager: observer", .timeLimit(.minutes(1)))
struct ImageObserverTests {
    private let log = EventLog()
    private let transport = FakeTransport()
    private let coder = TestCoder()

    private func manager(_ loader: (any ImageLoading)? = nil) -> ImageManager {
        var configuration = ImageManager.Configuration()
        configuration.cache = ScriptedCache()
        configuration.loader = loader ?? ImageDownloader(transport: transport, clock: ManualClock())
        configuration.coders = CoderRegistry(decoders: [coder], encoders: [coder])
        configuration.observers = [log]
        return ImageManager(configuration: configuration)
    }

    @Test("each stage of a load begins and ends in order, and a load from memory has no stages (S170)")
    func stages() async throws {
        transport.respond("http://example.com/a.test", with: .bytes(TestCoder.file()))
        let manager = manager()
        let request = try ManagerFixture.request { $0.transforms = [ImageTransform(InvertTransform())] }
        _ = try await manager.load(request).response
        // The number of cache lookups is an implementation detail.
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

    @Test("loads that share a download have one of each stage (S007)")
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

    @Test("a cancelled load ends together with its stages and its download (S165)")
    func cancellation() async throws {
        transport.respond("http://example.com/a.test", with: .response(body: [.hold(Gate())]))
        let manager = manager()
        let task = manager.load(try ManagerFixture.request())
        await task.firstProgress()
        task.cancel()
        #expect(await task.outcome.error == .cancelled)
        try await until { log.lines.contains("stopped: cancelled") }
        #expect(log.lines.contains("-transfer, cancelled"))
        #expect(log.lines.contains("failed: cancelled"))
        #expect(log.isBalanced)
    }

    @Test("a file that cannot be decoded fails the stage and the load")
    func failure() async throws {
        let manager = manager(ScriptedLoader(file: Data("TEST".utf8)))
        _ = await manager.load(try ManagerFixture.request()).outcome
        #expect(log.lines.suffix(3) == ["+decode", "-decode, badData", "failed: badData"])
        #expect(log.isBalanced)
    }

    @Test("a load of the file is observed too")
    func file() async throws {
        let manager = manager(ScriptedLoader())
        _ = try await manager.data(for: try ManagerFixture.request())
        #expect(log.lines.first == "load")
        #expect(log.lines.last == "loaded from network")
        #expect(log.isBalanced)
    }

    @Test("several observers receive the same events")
    func list() async throws {
        let others = [EventLog(), EventLog()]
        var configuration = ImageManager.Configuration()
        configuration.cache = ScriptedCache(failure: .unreadable(path: "/", reason: ""))
        configuration.loader = ScriptedLoader()
        configuration.coders = CoderRegistry(decoders: [coder], encoders: [coder])
        let warnings = WarningLog()
        configuration.observers = [others[0]]
        configuration.observers.append(others[1])
        configuration.observers.append(warnings)
        let manager = ImageManager(configuration: configuration)
        _ = try await manager.load(try ManagerFixture.request()).response
        #expect(others[0].lines == others[1].lines)
        #expect(others[0].lines.contains("loaded from network"))
        #expect(!warnings.warnings.isEmpty)
    }
}
