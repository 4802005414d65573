import EaselTesting
import Synchronization
import TestSupport
import Testing

@testable import EaselCore

@Suite("Background work: one job per key at a time", .timeLimit(.minutes(1)))
struct BackgroundWorkTests {
    private let background = BackgroundWork()

    @Test("a job for a key in progress is dropped")
    func inProgress() async throws {
        let (gate, done) = (Gate(), Recorder<Int>())
        let key = WorkKey.file(try ManagerFixture.request())
        background.begin(key) {
            try? await gate.wait()
            done.record(1)
        }
        background.begin(key) { done.record(2) }
        #expect(background.count == 1)
        gate.open()
        await background.finish()
        #expect(done.events == [1])
        #expect(background.count == 0)
    }

    @Test("no job starts after shutdown")
    func shutDown() async throws {
        let done = Counter()
        background.shutDown()
        background.begin(.file(try ManagerFixture.request())) { done.add() }
        await background.finish()
        #expect(done.count == 0)
    }
}
