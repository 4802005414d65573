import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Waits for what nobody reports. It looks again and again on a thread of its own: a task that yields in a loop keeps
/// the threads that the others need.
func wait(until condition: @escaping @Sendable () -> Bool) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            while !condition() { sched_yield() }
            continuation.resume()
        }
    }
}
