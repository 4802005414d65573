import EaselTesting
import Synchronization
import Testing

@testable import EaselCore

@Suite("Background refreshes: one piece of work a file at a time", .timeLimit(.minutes(1)))
struct BackgroundRefreshesTests {
    private let refreshes = BackgroundRefreshes()

    @Test("what comes while some is under way is dropped, or follows it in order")
    func follows() async throws {
        let (gate, done) = (Gate(), Recorder<Int>())
        let key = try ManagerFixture.request()
        refreshes.begin(key) {
            try? await gate.wait()
            done.record(1)
        }
        refreshes.begin(key) { done.record(2) }
        refreshes.begin(key, follows: true) { done.record(3) }
        refreshes.begin(key, follows: true) { done.record(4) }
        #expect(refreshes.count == 1)
        gate.open()
        await refreshes.finish()
        #expect(done.events == [1, 3, 4])
        #expect(refreshes.count == 0)
    }

    @Test("nothing that follows is lost, also where it comes as the work before it ends")
    func nothingLost() async throws {
        let done = Counter()
        let key = try ManagerFixture.request()
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<500 {
                        refreshes.begin(key, follows: true) { done.add() }
                        await Task.yield()
                    }
                }
            }
        }
        await refreshes.finish()
        #expect(done.count == 2_000)
    }

    @Test("after the end none is begun")
    func shutDown() async throws {
        let done = Counter()
        refreshes.shutDown()
        refreshes.begin(try ManagerFixture.request(), follows: true) { done.add() }
        await refreshes.finish()
        #expect(done.count == 0)
    }
}
