internal import CEaselCurl
internal import EaselCore
internal import EaselTransport
internal import Synchronization

/// The thread that runs libcurl, and its command queue.
///
/// All exchanges use one multi handle, so that they share connections. Only its thread calls libcurl, except for
/// `curl_multi_wakeup`, which is thread-safe.
final class Engine: Sendable {
    enum Command: Sendable {
        case start(Exchange)
        /// Resumes a paused transfer after the reader has consumed its bytes.
        case resume(Exchange)
        case cancel(Exchange)
    }

    private struct State {
        var queue = CommandQueue<Command, CheckedContinuation<Void, Never>>()
        /// Interrupts the wait of the thread; `nil` without a thread.
        var wakeup: TransferLoop.Wakeup?
    }

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private let settings: TransportSettings
    private let state = Mutex(State())

    init(_ settings: TransportSettings = TransportSettings()) { self.settings = settings }

    // MARK: Posting commands

    /// Starts an exchange.
    ///
    /// - Throws: `ImageError.invalidated` after `stop`, `.unsupported` if the system cannot start a thread.
    func start(_ exchange: Exchange) throws(ImageError) {
        try state.withLock { (state) throws(ImageError) in
            switch state.queue.post(.start(exchange)) {
            case .refuse: throw .invalidated
            case .startThread: try startThread(&state)
            case .wake: state.wakeup?.send()
            case .none: break
            }
        }
    }

    /// Posts a command for a running exchange. Has no effect after its end.
    func post(_ command: Command) {
        state.withLock { state in
            if state.queue.post(command, startsThread: false) == .wake { state.wakeup?.send() }
        }
    }

    func stop() { stop(nil) }

    func stopAndWait() async { await withCheckedContinuation { stop($0) } }

    private func stop(_ waiter: CheckedContinuation<Void, Never>?) {
        let released = state.withLock { state in
            let (wakes, released) = state.queue.stop(waiter)
            if wakes { state.wakeup?.send() }
            return released
        }
        released?.resume()
    }

    // MARK: The thread

    private func startThread(_ state: inout State) throws(ImageError) {
        guard Self.isReady else {
            state.queue.recordStartFailure()
            throw .unsupported("libcurl could not be initialized.")
        }
        if let loop = TransferLoop(settings) {
            state.wakeup = loop.wakeup
            // Only the new thread uses the loop.
            nonisolated(unsafe) let loop = loop
            if SystemThread.start("easel-http", { self.run(loop) }) { return }
            state.wakeup = nil
        }
        state.queue.recordStartFailure()
        throw .unsupported("No thread or memory is available to load over the network.")
    }

    private func run(_ loop: TransferLoop) {
        while true {
            let (commands, stops) = state.withLock { $0.queue.takeAll() }
            loop.run(commands)
            if stops { break }
            loop.wait()
        }
        loop.endAll(.invalidated)
        // After this, no other thread uses the multi handle.
        state.withLock { $0.wakeup = nil }
        loop.close()
        for waiter in state.withLock({ $0.queue.finishStop() }) { waiter.resume() }
    }
}
