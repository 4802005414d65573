import CEaselSystem

/// How long the calling thread runs before others get their turn, while there are more threads than processors.
///
/// Linux 6.12 and later let who has a short slice go before who has a long one; each has the same share of the processors as before.
enum ThreadSlice {
    /// The slice; `nil` on systems where threads have none of their own.
    static var current: Duration? {
        let nanoseconds = easel_thread_slice()
        return nanoseconds > 0 ? .nanoseconds(Int64(clamping: nanoseconds)) : nil
    }

    /// Sets it, for the calling thread and none that it starts. Does nothing on other systems.
    static func set(microseconds: UInt64) { easel_thread_set_slice(microseconds * 1_000) }
}
