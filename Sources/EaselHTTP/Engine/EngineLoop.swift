internal import CEaselCurl
internal import EaselCore

/// libcurl at work: takes commands, lets libcurl deal with what has happened, and gathers what is to be delivered.
///
/// Everything in it belongs to whoever holds `Engine`'s lock on it. That is libcurl's thread, which sleeps on its sockets in
/// between, or, to begin an exchange at once, the thread of who asks for it.
final class EngineLoop {
    /// Idle connections that are kept for later exchanges.
    private static let keptConnections = 32
    /// Idle easy handles that are kept, as making one costs more than an exchange with a near server.
    private static let keptHandles = 32
    /// The longest sleep; waking up has no other purpose than to sleep on.
    private static let longestSleep = Duration.seconds(3600)

    private let settings: TransportSettings
    private let multi: UnsafeMutableRawPointer
    private let share: UnsafeMutableRawPointer
    private let clock = SuspendingClock()
    private var transfers: [ObjectIdentifier: Transfer] = [:]
    private var idleHandles: [EasyHandle] = []
    private let events: LoopEvents
    /// The last exchange's header lines in libcurl's form; most have the same.
    private var headers: (lines: [String], list: HeaderList)?
    /// When a transfer's time may be over, at the earliest: before that nobody has to look at all of them.
    private var nextDeadline: ExchangeTimers.Instant?
    /// Until when the thread sleeps, while it does.
    private var wakingTime: ExchangeTimers.Instant?

    /// `nil` where there is no memory left.
    init?(_ settings: TransportSettings) {
        guard let multi = curl_multi_init() else { return nil }
        guard let share = curl_share_init() else {
            curl_multi_cleanup(multi)
            return nil
        }
        self.settings = settings
        self.multi = multi
        self.share = share
        events = LoopEvents(clock: clock)
        events.listen(to: multi)
        // A new connection to a known host resumes its TLS session. One thread at a time, so that no lock functions are
        // needed.
        easel_curl_share_data(share, CURL_LOCK_DATA_SSL_SESSION)
        easel_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        easel_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, settings.connectionsPerHost)
        easel_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.keptConnections)
    }

    deinit {
        // The order that libcurl asks for: easy handles, multi handle, share.
        idleHandles = []
        curl_multi_cleanup(multi)
        curl_share_cleanup(share)
    }

    static let outOfMemory = "There is no memory left to load over the network."

    // MARK: Turns

    /// A turn of libcurl's thread, which does not sleep now.
    func takeTurn(_ sleep: inout Sleep, _ commands: [Engine.Command]) {
        wakingTime = nil
        sleep.takeNews { socket, news in
            if events.sockets.heard(socket) { act(on: socket, news) }
        }
        for command in commands { perform(command) }
        work()
    }

    /// Begins an exchange in a turn of the caller's thread, where it is likely to be sent at once: over a connection that is kept
    /// from one like it. Else names may have to be looked up and certificates to be read, which is the thread's to do.
    func startAtOnce(_ exchange: Exchange) -> Bool {
        guard !exchange.isOver else { return true }
        guard let handle = takeHandle(for: exchange) else { return false }
        let holds = easel_curl_hold_pipe_signal()
        defer { if holds { easel_curl_drop_pipe_signal() } }
        start(exchange, handle)
        work()
        return true
    }

    /// Who is to be told of what has happened.
    func takeDeliveries() -> [Delivery] { exchange(&events.deliveries, with: []) }

    /// The thread is about to sleep: on what, and for how many milliseconds.
    func beginSleep() -> (watches: [SocketTable.Watch], milliseconds: Int32) {
        let now = clock.now
        let latest = now.advanced(by: Self.longestSleep)
        let time = min(nextTime ?? latest, latest)
        wakingTime = time
        return (events.sockets.sleep(), Int32(clamping: now.duration(to: time).wholeMilliseconds))
    }

    /// Whether the thread sleeps, and would sleep too long. True once a sleep.
    func interruptsSleep() -> Bool {
        guard let wakingTime, events.sockets.isMissing || (nextTime ?? wakingTime) < wakingTime else { return false }
        self.wakingTime = nil
        return true
    }

    private var nextTime: ExchangeTimers.Instant? {
        guard let nextDeadline, let time = events.time else { return nextDeadline ?? events.time }
        return min(nextDeadline, time)
    }

    private func work() {
        repeat {
            while events.takesTurn() { act(on: CURL_SOCKET_TIMEOUT, 0) }
            finishCompleted()
            deliverArrivals()
            endOverdue()
        } while events.isDue
    }

    private func act(on socket: Int32, _ news: Int32) {
        var runningCount: Int32 = 0
        guard curl_multi_socket_action(multi, socket, news, &runningCount) != CURLM_OK else { return }
        endAll(.unsupported(Self.outOfMemory))
    }

    // MARK: Commands

    private func perform(_ command: Engine.Command) {
        switch command {
        case .start(let exchange): start(exchange, takeHandle(for: exchange) ?? idleHandles.popLast() ?? EasyHandle())
        case .resume(let exchange):
            // The reader may have taken everything in the middle of a read whose rest led to the next pause. Then its
            // next turn asks again.
            guard let transfer = transfers[ObjectIdentifier(exchange)], !exchange.backlog.isPaused else { return }
            if let error = transfer.resume(at: clock.now) { end(transfer, .failure(error)) }
        case .cancel(let exchange):
            guard let transfer = transfers[ObjectIdentifier(exchange)] else { return }
            end(transfer, .failure(.cancelled))
        }
    }

    private func start(_ exchange: Exchange, _ handle: EasyHandle?, isFresh: Bool = false) {
        guard !exchange.isOver else { return }
        guard let handle, let headers = headerList(exchange.head.lines),
            let transfer = Transfer(
                exchange, handle: handle, headers: headers, settings: settings, share: share, clock: clock,
                isFresh: isFresh, events: events),
            curl_multi_add_handle(multi, handle.pointer) == CURLM_OK
        else { return events.add(exchange.finish(.failure(.unsupported(Self.outOfMemory)))) }
        transfers[ObjectIdentifier(exchange)] = transfer
        noteDeadline(of: transfer)
    }

    /// The handle of an exchange like this one, which has ended well not long before.
    private func takeHandle(for exchange: Exchange) -> EasyHandle? {
        let options = EasyOptions(exchange, isFresh: false)
        let place = idleHandles.lastIndex { $0.host == exchange.url.host && $0.options == options }
        return place.map { idleHandles.remove(at: $0) }
    }

    private func headerList(_ lines: [String]) -> HeaderList? {
        if let headers, headers.lines == lines { return headers.list }
        guard let list = HeaderList(lines) else { return nil }
        headers = (lines, list)
        return list
    }

    // MARK: Ends

    private func finishCompleted() {
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(multi, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let transfer = Transfer.of(easy)
            else { continue }
            let result = transfer.result(of: message.pointee.data.result)
            if transfer.isSpoilt(result) {
                takeOut(transfer)
                start(transfer.exchange, EasyHandle(), isFresh: true)
            } else {
                end(transfer, result)
            }
        }
    }

    /// Delivers what has come, after the ends: what has come whole is delivered with its end.
    private func deliverArrivals() {
        for transfer in exchange(&events.transfers, with: []) {
            guard transfers[ObjectIdentifier(transfer.exchange)] === transfer else { continue }
            transfer.deliver()
            noteDeadline(of: transfer)
        }
    }

    /// A deadline may come nearer. One that moves away is found to have done so when it is looked at.
    private func noteDeadline(of transfer: Transfer) {
        guard let time = transfer.timers.deadline?.time else { return }
        nextDeadline = min(nextDeadline ?? time, time)
    }

    /// Ends the transfers whose time is over.
    private func endOverdue() {
        guard let nextDeadline, case let now = clock.now, nextDeadline <= now else { return }
        var next: ExchangeTimers.Instant?
        var overdue: [(transfer: Transfer, timeout: ImageError.Timeout)] = []
        for transfer in transfers.values {
            guard let (time, timeout) = transfer.timers.deadline else { continue }
            if time <= now {
                overdue.append((transfer, timeout))
            } else {
                next = min(next ?? time, time)
            }
        }
        self.nextDeadline = next
        for (transfer, timeout) in overdue { end(transfer, .failure(.timedOut(timeout))) }
    }

    func endAll(_ error: ImageError) {
        for transfer in Array(transfers.values) { end(transfer, .failure(error)) }
    }

    /// Takes a transfer out, which closes its connection or stream unless it is complete, and tells its reader.
    private func end(_ transfer: Transfer, _ result: Result<Void, ImageError>) {
        if case .failure = result { transfer.abandon() }
        takeOut(transfer)
        // A handle that failed halfway is not trusted with another transfer.
        if case .success = result, idleHandles.count < Self.keptHandles { idleHandles.append(transfer.handle) }
        transfer.finish(result)
    }

    private func takeOut(_ transfer: Transfer) {
        transfers[ObjectIdentifier(transfer.exchange)] = nil
        curl_multi_remove_handle(multi, transfer.handle.pointer)
        // The transfer goes, and the handle may outlive it.
        transfer.handle.set(CURLOPT_PRIVATE, nil as UnsafeMutableRawPointer?)
    }
}
