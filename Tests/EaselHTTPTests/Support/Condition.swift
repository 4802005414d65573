import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Waits until a condition that sends no event is true. Polls on a separate thread, because a task that yields in a
/// loop would occupy a thread of the pool.
func wait(until condition: @escaping @Sendable () -> Bool) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            while !condition() { sched_yield() }
            continuation.resume()
        }
    }
}
