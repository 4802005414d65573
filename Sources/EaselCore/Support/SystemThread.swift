import CEaselSystem

/// Threads of the system, each for one function.
package enum SystemThread {
    /// Runs `body` on a new thread, called `name` (at most 15 bytes). Returns `false` where the system starts none.
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let context = Unmanaged.passRetained(ThreadBody(body))
        let failure = easel_thread_start(
            name,
            { context in
                guard let context else { return }
                Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
            }, context.toOpaque())
        if failure != 0 { context.release() }
        return failure == 0
    }

    private final class ThreadBody: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
