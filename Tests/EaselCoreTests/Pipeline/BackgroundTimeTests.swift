import EaselTesting
import Synchronization
import TestSupport
import Testing

@testable import EaselCore

/// Background time that a test can end.
private final class GrantedTime: Sendable {
    let log = Recorder<String>()
    private let expiry = Mutex<(@Sendable () -> Void)?>(nil)

    func begin(_ expired: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        log.record("begin")
        expiry.withLock { $0 = expired }
        return { [log] in log.record("end") }
    }

    func expire() { expiry.withLock { $0 }?() }
}

@Suite("Manager: background time (S082, X145)", .timeLimit(.minutes(1)))
struct BackgroundTimeTests {
    private let time = GrantedTime()
    private let gate = Gate()

    private func manager() -> ImageManager {
        var configuration = ImageManager.Configuration()
        configuration.loader = ScriptedLoader.blocked(by: gate)
        configuration.coders = CoderRegistry(decoders: [TestCoder()])
        configuration.backgroundTime = { [time] in time.begin($0) }
        return ImageManager(configuration: configuration)
    }

    @Test("a load with continueInBackground requests background time and ends it when it ends")
    func covered() async throws {
        let task = manager().load(try ManagerFixture.request().adding(.continueInBackground))
        #expect(time.log.events == ["begin"])
        gate.open()
        _ = try await task.response
        #expect(time.log.events == ["begin", "end"])
    }

    @Test("expired background time cancels the load")
    func expired() async throws {
        let task = manager().load(try ManagerFixture.request().adding(.continueInBackground))
        time.expire()
        #expect(await task.outcome.error == .cancelled)
        #expect(time.log.events == ["begin", "end"])
    }

    @Test("a load without continueInBackground requests no time and still shares the work")
    func shared() async throws {
        let manager = manager()
        let tasks = try [LoadOptions.continueInBackground, []].map {
            manager.load(try ManagerFixture.request().adding($0))
        }
        for task in tasks { await task.firstProgress() }
        time.expire()
        gate.open()
        #expect(await tasks[0].outcome.error == .cancelled)
        #expect(try await tasks[1].response.source == .network)
        #expect(time.log.events == ["begin", "end"])
    }
}
