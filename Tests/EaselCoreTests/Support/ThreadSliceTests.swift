import Dispatch
import Foundation
import Synchronization
import Testing

@testable import EaselCore

@Suite("Slices of threads", .enabled(if: ThreadSlice.current != nil), .timeLimit(.minutes(1)))
struct ThreadSliceTests {
    private let pool = WorkerPool(name: "test-slice", threadCount: 1, niceness: 0)

    @Test("a thread gets the slice that it asks for")
    func asked() async {
        let slice = await pool.run {
            ThreadSlice.set(microseconds: 300)
            return ThreadSlice.current
        }
        #expect(slice == .microseconds(300))
    }

    @Test("a thread that it starts has the system's")
    func inherited() async {
        let slices = await pool.run {
            let before = ThreadSlice.current
            ThreadSlice.set(microseconds: 300)
            let started = Mutex<Duration?>(nil)
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                started.withLock { $0 = ThreadSlice.current }
                done.signal()
            }
            done.wait()
            return (before: before, started: started.withLock { $0 })
        }
        #expect(slices.started != nil && slices.started == slices.before)
    }
}
