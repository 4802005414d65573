import EaselTesting
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import EaselCore

@Suite("Manager: end of a load", .timeLimit(.minutes(1)))
struct ImageManagerEndTests {
    @Test("a load has one end, which is its last event (P001, B101)")
    func oneEnd() async throws {
        let fixture = ManagerFixture()
        let events = await fixture.manager.load(try ManagerFixture.request()).allEvents
        let ends = events.filter { if case .finished = $0 { true } else { false } }
        #expect(ends.count == 1)
        if case .finished(.success)? = events.last {} else { Issue.record("\(events) do not end with the image") }
    }

    @Test("an observer receives the end of a load before its caller")
    func observedEnd() async throws {
        let observer = OutcomeObserver()
        let begin = Gate()
        var configuration = ImageManager.Configuration()
        configuration.loader = ScriptedLoader { _, _ throws(ImageError) in
            do { try await begin.wait() } catch { throw .cancelled }
            throw .invalidated
        }
        configuration.observers = [observer]
        let task = ImageManager(configuration: configuration).load(try ManagerFixture.request())
        observer.task.withLock { $0 = task }
        begin.open()
        _ = await task.outcome
        #expect(observer.hadOutcome.withLock { $0 } == [false])
    }

    @Test("cancel ends the load at once with cancelled (X058, B101)")
    func cancel() async throws {
        let fixture = ManagerFixture(loader: .blocked(by: Gate()))
        let task = fixture.manager.load(try ManagerFixture.request())
        task.cancel()
        #expect(task.isCancelled)
        task.cancel()
        #expect(await task.outcome.error == .cancelled)
        #expect(!fixture.manager.isRunning)
    }

    @Test("cancel has no effect after the end (B101)")
    func cancelAfterEnd() async throws {
        let fixture = ManagerFixture()
        let task = fixture.manager.load(try ManagerFixture.request())
        _ = try await task.response
        task.cancel()
        #expect(!task.isCancelled)
        #expect(await task.outcome.error == nil)
    }

    @Test("cancelling the waiting Swift task cancels the load (B103)")
    func cancelSurroundingTask() async throws {
        let (requested, finished) = (Gate(), Gate())
        let loader = ScriptedLoader { _, _ throws(ImageError) in
            requested.open()
            defer { finished.open() }
            do { try await Gate().wait() } catch { throw .cancelled }
            return LoadedData(data: TestCoder.file(), source: .network)
        }
        let fixture = ManagerFixture(loader: loader)
        let request = try ManagerFixture.request()
        let waiting = Task { () async -> ImageError? in
            do throws(ImageError) {
                _ = try await fixture.manager.image(for: request)
                return nil
            } catch {
                return error
            }
        }
        try await requested.wait()
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        try await finished.wait()
    }

    @Test("shutting down a manager cancels its loads and refuses new ones (B104)")
    func shutDown() async throws {
        let fixture = ManagerFixture(loader: .blocked(by: Gate()))
        let request = try ManagerFixture.request()
        let running = fixture.manager.load(request)
        fixture.manager.shutDown()
        #expect(await running.outcome.error == .cancelled)
        #expect(await fixture.manager.load(request).outcome.error == .invalidated)
    }

    @Test("a failing transform fails the load, and nothing is cached under its key (R015)")
    func failingTransform() async throws {
        let fixture = ManagerFixture()
        let request = try ManagerFixture.request { $0.transforms = [ImageTransform(InvertTransform(fails: true))] }
        #expect(await fixture.manager.load(request).outcome.error == .unsupported("It cannot be inverted."))
        #expect(!fixture.cache.imageKeys.contains(request.key))
        #expect(fixture.cache.files[request.key] == nil)
    }

    @Test("the options processor changes each request first (X041)")
    func optionsProcessor() async throws {
        var configuration = ImageManager.Configuration()
        configuration.optionsProcessor = { $0.adding(.fromCacheOnly) }
        let manager = ImageManager(configuration: configuration)
        #expect(await manager.load(try ManagerFixture.request()).outcome.error == .notCached)
    }

    @Test("a load of data reports no progress after it has returned", .timeLimit(.minutes(1)))
    func noProgressAfterReturn() async throws {
        let blockedCall = BlockingWork()
        let bothJoined = Gate()
        let end = Gate()
        let loader = ScriptedLoader { _, context throws(ImageError) in
            // A late subscriber receives this progress too.
            context.report(received: 0, expected: 7)
            do { try await bothJoined.wait() } catch { throw .cancelled }
            context.report(received: 1, expected: 7)
            do { try await end.wait() } catch { throw .cancelled }
            return LoadedData(data: TestCoder.file(), source: .network)
        }
        let manager = ManagerFixture(loader: loader).manager
        let request = try ManagerFixture.request()
        let joined = Recorder<Int>()
        let called = Recorder<Int>()
        let loads = (0..<2).map { number in
            Task {
                _ = try? await manager.data(for: request) { progress in
                    if progress.received == 0 { return joined.record(number) }
                    called.record(number)
                    if called.events == [number] { blockedCall.block() }
                }
            }
        }
        await joined.wait { Set($0).count == 2 }
        bothJoined.open()
        await blockedCall.waitForStart()
        // One load is being notified. The other is cancelled before its turn.
        let finishedFirst = try #require(called.events.first)
        loads[1 - finishedFirst].cancel()
        await loads[1 - finishedFirst].value
        blockedCall.release()
        end.open()
        await loads[finishedFirst].value
        #expect(called.events == [finishedFirst])
    }
}

@Suite("Manager: failed URLs")
struct ImageManagerFailureTests {
    private static func failing(_ error: ImageError) -> ManagerFixture {
        ManagerFixture(loader: ScriptedLoader { _, _ throws(ImageError) in throw error })
    }

    @Test("a missing image is not requested again immediately (S008)")
    func blocked() async throws {
        let fixture = Self.failing(.status(404))
        let request = try ManagerFixture.request()
        #expect(await fixture.manager.load(request).outcome.error == .status(404))
        #expect(await fixture.manager.load(request).outcome.error?.code == .blocked)
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("a missing image is requested again after the blocking time (R009)")
    func expires() async throws {
        let fixture = Self.failing(.status(404))
        let request = try ManagerFixture.request()
        _ = await fixture.manager.load(request).outcome
        fixture.clock.advance(by: .seconds(61))
        #expect(await fixture.manager.load(request).outcome.error == .status(404))
    }

    @Test("retryFailed and forgetFailures request again at once (S076, S077)")
    func retryFailed() async throws {
        let fixture = Self.failing(.status(404))
        let request = try ManagerFixture.request()
        _ = await fixture.manager.load(request).outcome
        #expect(await fixture.manager.load(request.adding(.retryFailed)).outcome.error == .status(404))
        fixture.manager.forgetFailures()
        #expect(await fixture.manager.load(request).outcome.error == .status(404))
        #expect(fixture.loader.requests.count == 3)
    }

    @Test("the cache is checked before the registry (R009, S063; S072 is not copied)")
    func cacheFirst() async throws {
        let fixture = Self.failing(.status(404))
        let request = try ManagerFixture.request()
        _ = await fixture.manager.load(request).outcome
        fixture.cache.put(TestCoder.file(), for: request.originalKey)
        #expect(await fixture.manager.load(request).outcome.error == nil)
    }

    @Test(
        "a temporary error does not block a URL (S073)",
        arguments: [
            ImageError.timedOut(.idle), .unreachable(host: "a", reason: "b"), .connectionLost(received: 0, expected: 9),
            .cancelled, .status(503), .tooLarge(.bytes(9, limit: 8)),
        ])
    func transient(error: ImageError) async throws {
        let fixture = Self.failing(error)
        let request = try ManagerFixture.request()
        _ = await fixture.manager.load(request).outcome
        #expect(await fixture.manager.load(request).outcome.error == error)
    }
}

/// Records whether a task has its outcome when its end is observed.
private final class OutcomeObserver: ImageObserver {
    let task = Mutex<ImageTask?>(nil)
    let hadOutcome = Mutex<[Bool]>([])

    func didEnd(_ load: ObservedLoad, with outcome: Result<LoadSummary, ImageError>) {
        let outcome = task.withLock { $0 }?.currentOutcome
        hadOutcome.withLock { $0.append(outcome != nil) }
    }
}
