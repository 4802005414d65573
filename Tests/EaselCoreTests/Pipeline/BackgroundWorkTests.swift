import EaselTesting
import Synchronization
import TestSupport
import Testing

@testable import EaselCore

@Suite("Background work: one job per key at a time", .timeLimit(.minutes(1)))
struct BackgroundWorkTests {
    private let background = BackgroundWork()

    @Test("a job for a key in progress is dropped, or runs afterwards in order")
    func follows() async throws {
        let (gate, done) = (Gate(), Recorder<Int>())
        let key = WorkKey.file(try ManagerFixture.request())
        background.begin(key) {
            try? await gate.wait()
            done.record(1)
        }
        background.begin(key) { done.record(2) }
        background.begin(key, follows: true) { done.record(3) }
        background.begin(key, follows: true) { done.record(4) }
        #expect(background.count == 1)
        gate.open()
        await background.finish()
        #expect(done.events == [1, 3, 4])
        #expect(background.count == 0)
    }

    @Test("a following job is not lost if it arrives as the previous one ends")
    func nothingLost() async throws {
        let done = Counter()
        let key = WorkKey.file(try ManagerFixture.request())
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<500 {
                        background.begin(key, follows: true) { done.add() }
                        await Task.yield()
                    }
                }
            }
        }
        await background.finish()
        #expect(done.count == 2_000)
    }

    @Test("no job starts after shutdown")
    func shutDown() async throws {
        let done = Counter()
        background.shutDown()
        background.begin(.file(try ManagerFixture.request()), follows: true) { done.add() }
        await background.finish()
        #expect(done.count == 0)
    }
}
