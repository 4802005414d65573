import EaselTesting
import FoundationEssentials
import Testing

@testable import EaselCore

@Suite("LoadRelay", .timeLimit(.minutes(1)))
@MainActor
struct LoadRelayTests {
    private func task() throws -> ImageTask { ImageTask(try ManagerFixture.request()) }

    @Test("what there is when it begins comes in a later turn, and what comes is brought in order")
    func order() async throws {
        let task = try task()
        task.didReceive(.progress(LoadProgress(received: 1, expected: 9)))
        var heard: [String] = []
        let relay = LoadRelay(task, deliversProgress: true) { heard.append($0.name) }
        relay.begin()
        #expect(heard.isEmpty)
        await until { heard == ["1"] }
        task.didReceive(.progress(LoadProgress(received: 2, expected: 9)))
        task.didReceive(.progress(LoadProgress(received: 3, expected: 9)))
        task.finish(.failure(.notCached))
        #expect(heard == ["1"])
        await until { heard.count == 3 }
        #expect(heard == ["1", "3", "end"])
        withExtendedLifetime(relay) {}
    }

    @Test("progress that nobody hears is there to be looked at, and brought with the end")
    func unheard() async throws {
        let task = try task()
        var heard: [String] = []
        let relay = LoadRelay(task, deliversProgress: false) { heard.append($0.name) }
        relay.begin()
        task.didReceive(.progress(LoadProgress(received: 1, expected: 9)))
        await mainTurns()
        #expect(heard.isEmpty)
        #expect(relay.progress?.received == 1)
        task.finish(.failure(.notCached))
        await until { heard == ["1", "end"] }
        #expect(relay.progress == nil)
    }

    @Test("progress from many threads: each hop brings what came, the newest last, and the end behind it")
    func manyThreads() async throws {
        let task = try task()
        var heard: [String] = []
        let relay = LoadRelay(task, deliversProgress: true) { heard.append($0.name) }
        relay.begin()
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask { @Sendable in
                    for step in 0..<200 {
                        task.didReceive(.progress(LoadProgress(received: number * 1_000 + step, expected: nil)))
                    }
                }
            }
        }
        task.finish(.failure(.notCached))
        await until { heard.last == "end" }
        #expect(heard.filter { $0 == "end" }.count == 1)
        #expect(heard.count <= 1_601)
        withExtendedLifetime(relay) {}
    }

    @Test("letting go of it cancels the load, and nothing is brought any more")
    func letGo() async throws {
        let task = try task()
        var heard = 0
        var relay: LoadRelay? = LoadRelay(task, deliversProgress: true) { _ in heard += 1 }
        relay?.begin()
        relay = nil
        #expect(task.isCancelled)
        await mainTurns()
        #expect(heard == 0)
    }

    @Test(
        "a released load whose file is on its way goes on as a prefetch, and nothing of it is brought any more",
        arguments: [true, false])
    func released(hasBegunToArrive: Bool) async throws {
        let task = try task()
        var heard = 0
        var relay: LoadRelay? = LoadRelay(task, deliversProgress: true) { _ in heard += 1 }
        if hasBegunToArrive {
            task.didReceive(.progress(LoadProgress(received: 2, expected: 9)))
        } else {
            _ = task.willSendRequest()
        }
        relay?.begin()
        relay?.release()
        relay?.cancel()
        relay = nil
        #expect(!task.isCancelled)
        #expect(task.priority == .low)
        await mainTurns()
        #expect(heard == 0)
    }

    @Test("a released load that no server has been asked for ends, and no server is asked for it any more")
    func releasedEarly() throws {
        let task = try task()
        let relay = LoadRelay(task, deliversProgress: true) { _ in }
        task.didReceive(.progress(LoadProgress(received: 0, expected: 9)))
        relay.release()
        #expect(task.isCancelled)
        #expect(!task.willSendRequest())
    }

    @Test("nor once it is cancelled")
    func cancelled() async throws {
        let task = try task()
        var heard = 0
        let relay = LoadRelay(task, deliversProgress: true) { _ in heard += 1 }
        relay.begin()
        task.didReceive(.progress(LoadProgress(received: 2, expected: 9)))
        relay.cancel()
        #expect(task.isCancelled)
        await mainTurns()
        #expect(heard == 0)
    }
}

extension LoadEvent {
    fileprivate var name: String {
        switch self {
        case .progress(let progress): "\(progress.received)"
        case .cached: "cached"
        case .preview: "preview"
        case .finished: "end"
        }
    }
}
