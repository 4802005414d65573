internal import CEaselCurl
internal import CEaselSystem
internal import EaselCore
internal import Synchronization

/// libcurl's thread as the rest sees it: a place to post commands to.
///
/// One thread with one multi handle, so that every exchange shares connections, and libcurl needs no locks. It starts
/// with the first exchange.
final class Engine: Sendable {
    /// What can be asked of libcurl's thread.
    enum Command: Sendable {
        case start(Exchange)
        /// The reader has caught up with a paused transfer.
        case resume(Exchange)
        case cancel(Exchange)
    }

    private struct State {
        var queue = CommandQueue<Command, CheckedContinuation<Void, Never>>()
        /// libcurl's multi handle, while its thread runs. Others may only wake it.
        var multi: UnsafeMutableRawPointer?

        /// Under the lock, so that the handle cannot go away meanwhile. It writes one byte and does not block.
        func wake() {
            if let multi { curl_multi_wakeup(multi) }
        }
    }

    /// What holds for all exchanges.
    let settings: TransportSettings
    private let state = Mutex(State())
    private let lastHead = Mutex<RequestHead?>(nil)

    init(_ settings: TransportSettings = TransportSettings()) {
        self.settings = settings
    }

    // MARK: The asking side

    /// Method and headers of a request, checked. Most requests have those of the one before.
    ///
    /// - Throws: `ImageError.unsupported` for what HTTP cannot carry.
    func head(of request: HTTPRequest) throws(ImageError) -> RequestHead {
        if let last = lastHead.withLock({ $0 }), last.method == request.method, last.headers == request.headers {
            return last
        }
        let head = try RequestHead(method: request.method, headers: request.headers)
        lastHead.withLock { $0 = head }
        return head
    }

    /// Begins an exchange.
    ///
    /// - Throws: `ImageError.invalidated` after `stop`, `.unsupported` where the system has no thread to give.
    func start(_ exchange: Exchange) throws(ImageError) {
        try state.withLock { (state) throws(ImageError) in
            switch state.queue.post(.start(exchange)) {
            case .refuse: throw .invalidated
            case .startThread: try startThread(&state)
            case .wake: state.wake()
            case .none: break
            }
        }
    }

    /// Asks something of a running exchange; means nothing once it is over.
    func post(_ command: Command) {
        state.withLock { state in
            if state.queue.post(command, startsThread: false) == .wake { state.wake() }
        }
    }

    /// Ends every exchange and the thread, without waiting for it.
    func stop() { stop(nil) }

    /// Ends every exchange and the thread, and waits until all of it is gone.
    func stopAndWait() async {
        await withCheckedContinuation { stop($0) }
    }

    private func stop(_ waiter: CheckedContinuation<Void, Never>?) {
        let released = state.withLock { state in
            let (wakes, released) = state.queue.stop(waiter)
            if wakes { state.wake() }
            return released
        }
        released?.resume()
    }

    private func startThread(_ state: inout State) throws(ImageError) {
        // The thread owns the loop: it is handed over here and released when its function returns.
        if Libcurl.isReady, let loop = EngineLoop(engine: self) {
            let context = Unmanaged.passRetained(loop)
            let failure = easel_thread_start(
                "easel-http", 0,
                { context in
                    guard let context else { return }
                    // The loop is gone, and all that it owned, when `work` returns.
                    Engine.work(context).hasEnded()
                }, context.toOpaque())
            if failure == 0 {
                state.multi = loop.multi
                return
            }
            context.release()
        }
        state.queue.startFailed()
        throw .unsupported("There is no thread or memory left to load over the network.")
    }

    // MARK: libcurl's side

    private static func work(_ context: UnsafeMutableRawPointer) -> Engine {
        let loop = Unmanaged<EngineLoop>.fromOpaque(context).takeRetainedValue()
        loop.run()
        return loop.engine
    }

    /// All commands since the last call; `stops` says that they are the last.
    func takeCommands() -> (commands: [Command], stops: Bool) {
        state.withLock { $0.queue.takeAll() }
    }

    /// Whether libcurl's thread may sleep; from then on it is woken.
    func mayRest() -> Bool {
        state.withLock { $0.queue.mayRest() }
    }

    /// The multi handle is about to go: nobody may wake it from now on.
    func willCloseHandle() {
        state.withLock { $0.multi = nil }
    }

    /// The thread has nothing left to do.
    func hasEnded() {
        let waiters = state.withLock { $0.queue.ended() }
        for waiter in waiters { waiter.resume() }
    }
}
