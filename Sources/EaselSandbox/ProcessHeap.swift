#if Sandbox
import CEaselSandbox
#endif

/// The memory of this process that is allocated in blocks.
package enum ProcessHeap {
    /// Lets free memory go back to the system early, in a process that holds files and pixels for a short time. Only for
    /// glibc, whose arenas otherwise keep the most that each thread has used.
    package static func limit() {
        #if Sandbox
        easel_sandbox_limit_heap()
        #endif
    }
}
