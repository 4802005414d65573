internal import CEaselCurl
internal import CEaselSystem
internal import EaselCore
internal import Synchronization

/// libcurl as the rest sees it: a place to post commands to.
///
/// One multi handle, so that every exchange shares connections. A thread of its own works with it and sleeps on its sockets, from
/// the first exchange on. While it sleeps, an exchange over a connection that is kept begins on the thread of who asks: to wake another
/// thread takes longer than to send a request.
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
        /// Wakes the thread, while it runs. Rung outside the lock, which the thread takes as soon as it wakes.
        var alarm: Sleep.Alarm?
    }

    /// What holds for all exchanges.
    let settings: TransportSettings
    private let state = Mutex(State())
    /// While its thread runs. The lock is never waited for, because the queue gives it to one at a time: threads that wait for a lock
    /// are handed it one after the other by the system, each after it has woken.
    private let loop = Mutex<EngineLoop?>(nil)
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
        if startAtOnce(exchange) { return }
        let alarm = try state.withLock { (state) throws(ImageError) -> Sleep.Alarm? in
            switch state.queue.post(.start(exchange)) {
            case .refuse: throw .invalidated
            case .startThread: try startThread(&state)
            case .wake: return state.alarm
            case .none: break
            }
            return nil
        }
        alarm?.ring()
    }

    private func startAtOnce(_ exchange: Exchange) -> Bool {
        guard state.withLock({ $0.queue.borrow() }) else { return false }
        let (hasBegun, deliveries, interruptsSleep) = loop.withLock { loop -> (Bool, [Delivery], Bool) in
            guard let loop, loop.startAtOnce(exchange) else { return (false, [], false) }
            return (true, loop.takeDeliveries(), loop.interruptsSleep())
        }
        let alarm = state.withLock { state in
            let mustWake = state.queue.giveBack()
            return mustWake || interruptsSleep ? state.alarm : nil
        }
        alarm?.ring()
        for delivery in deliveries { delivery.perform() }
        return hasBegun
    }

    /// Asks something of a running exchange; means nothing once it is over.
    func post(_ command: Command) {
        let alarm = state.withLock { state in
            state.queue.post(command, startsThread: false) == .wake ? state.alarm : nil
        }
        alarm?.ring()
    }

    /// Ends every exchange and the thread, without waiting for it.
    func stop() { stop(nil) }

    /// Ends every exchange and the thread, and waits until all of it is gone.
    func stopAndWait() async {
        await withCheckedContinuation { stop($0) }
    }

    private func stop(_ waiter: CheckedContinuation<Void, Never>?) {
        let (alarm, released) = state.withLock { state in
            let (wakes, released) = state.queue.stop(waiter)
            return (wakes ? state.alarm : nil, released)
        }
        alarm?.ring()
        released?.resume()
    }

    private func startThread(_ state: inout State) throws(ImageError) {
        if Libcurl.isReady, let sleep = Sleep(), loop.withLock({ $0.begin(settings) }) {
            let alarm = sleep.alarm
            // The thread owns what it begins with: it is handed over here and released when its function returns.
            let context = Unmanaged.passRetained(Beginning(self, sleep))
            let failure = easel_thread_start(
                "easel-http",
                { context in
                    guard let context else { return }
                    Unmanaged<Beginning>.fromOpaque(context).takeRetainedValue().work()
                }, context.toOpaque())
            if failure == 0 {
                state.alarm = alarm
                return
            }
            context.release()
            loop.withLock { $0 = nil }
        }
        state.queue.startFailed()
        throw .unsupported("There is no thread or memory left to load over the network.")
    }

    // MARK: libcurl's thread

    /// What the thread begins with.
    private final class Beginning {
        private let engine: Engine
        private var sleep: Sleep?

        init(_ engine: Engine, _ sleep: consuming Sleep) {
            self.engine = engine
            self.sleep = consume sleep
        }

        func work() {
            guard let sleep = sleep.take() else { return }
            engine.work(sleep)
            engine.hasEnded()
        }
    }

    /// Takes turns with libcurl, and sleeps, until the engine is stopped. All of it is gone then.
    private func work(_ sleep: consuming Sleep) {
        var sleep = consume sleep
        while true {
            guard let (commands, stops) = state.withLock({ $0.queue.takeAll() }) else {
                sleep.untilAlarm()
                continue
            }
            let (watches, milliseconds) = takeTurn(&sleep, commands)
            if stops { break }
            guard state.withLock({ $0.queue.mayRest() }) else { continue }
            if !sleep.sleep(on: watches, milliseconds: milliseconds) { endAll(.unsupported(EngineLoop.outOfMemory)) }
        }
        endAll(.invalidated)
        state.withLock { $0.alarm = nil }
        loop.withLock { $0 = nil }
    }

    /// A turn, and what to sleep on until the next.
    private func takeTurn(
        _ sleep: inout Sleep, _ commands: [Command]
    ) -> (watches: [SocketTable.Watch], milliseconds: Int32) {
        let (deliveries, rest) = loop.withLock { loop in
            loop?.takeTurn(&sleep, commands)
            return (loop?.takeDeliveries() ?? [], loop?.beginSleep())
        }
        for delivery in deliveries { delivery.perform() }
        return rest ?? ([], 0)
    }

    private func endAll(_ error: ImageError) {
        let deliveries = loop.withLock { loop in
            loop?.endAll(error)
            return loop?.takeDeliveries() ?? []
        }
        for delivery in deliveries { delivery.perform() }
    }

    private func hasEnded() {
        let waiters = state.withLock { $0.queue.ended() }
        for waiter in waiters { waiter.resume() }
    }
}

extension EngineLoop? {
    /// Returns whether there is memory for one.
    fileprivate mutating func begin(_ settings: TransportSettings) -> Bool {
        self = EngineLoop(settings)
        return self != nil
    }
}
