internal import CEaselCurl
internal import EaselCore

/// What libcurl's thread does: take commands, let libcurl work, deliver what ended, sleep. Everything in it belongs to
/// that thread alone.
final class EngineLoop {
    /// Idle connections that are kept for later exchanges.
    private static let keptConnections = 32
    /// Idle easy handles that are kept, as making one costs more than an exchange with a near server.
    private static let keptHandles = 32
    /// The longest sleep, in milliseconds; waking up has no other purpose than to sleep on.
    private static let longestSleep = 3_600_000

    /// libcurl's multi handle. Everyone else may only wake it.
    let multi: UnsafeMutableRawPointer
    /// Where the commands come from.
    let engine: Engine

    private let share: UnsafeMutableRawPointer
    private let clock = SuspendingClock()
    private var transfers: [ObjectIdentifier: Transfer] = [:]
    private var idleHandles: [EasyHandle] = []
    private let arrivals = Arrivals()
    /// The last exchange's header lines in libcurl's form; most have the same.
    private var headers: (lines: [String], list: HeaderList)?
    /// When a transfer's time may be over, at the earliest: before that nobody has to look at all of them.
    private var nextDeadline: ExchangeTimers.Instant?

    /// `nil` where there is no memory left.
    init?(engine: Engine) {
        guard let multi = curl_multi_init() else { return nil }
        guard let share = curl_share_init() else {
            curl_multi_cleanup(multi)
            return nil
        }
        self.engine = engine
        self.multi = multi
        self.share = share
        // A new connection to a known host resumes its TLS session. One thread, so that no lock functions are needed.
        easel_curl_share_data(share, CURL_LOCK_DATA_SSL_SESSION)
        easel_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        easel_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, engine.settings.connectionsPerHost)
        easel_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.keptConnections)
    }

    deinit {
        // The order that libcurl asks for: easy handles, multi handle, share.
        idleHandles = []
        curl_multi_cleanup(multi)
        curl_share_cleanup(share)
    }

    /// Works until the engine is stopped.
    func run() {
        while true {
            let (commands, stops) = engine.takeCommands()
            for command in commands { perform(command) }
            if stops { break }
            var runningCount: Int32 = 0
            if curl_multi_perform(multi, &runningCount) != CURLM_OK { endAll(.unsupported(Self.outOfMemory)) }
            finishCompleted()
            deliverArrivals()
            endOverdue()
            guard engine.mayRest() else { continue }
            if curl_multi_poll(multi, nil, 0, milliseconds(until: nextDeadline), nil) != CURLM_OK {
                endAll(.unsupported(Self.outOfMemory))
            }
        }
        endAll(.invalidated)
        engine.willCloseHandle()
    }

    private static let outOfMemory = "There is no memory left to load over the network."

    // MARK: Commands

    private func perform(_ command: Engine.Command) {
        switch command {
        case .start(let exchange): start(exchange)
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

    private func start(_ exchange: Exchange, isFresh: Bool = false) {
        guard !exchange.isOver else { return }
        guard let handle = idleHandles.popLast() ?? EasyHandle(), let headers = headerList(exchange.head.lines) else {
            return exchange.finish(.failure(.unsupported(Self.outOfMemory)))
        }
        guard
            let transfer = Transfer(
                exchange, handle: handle, headers: headers, settings: engine.settings, share: share, clock: clock,
                isFresh: isFresh, arrivals: arrivals),
            curl_multi_add_handle(multi, handle.pointer) == CURLM_OK
        else { return exchange.finish(.failure(.unsupported(Self.outOfMemory))) }
        transfers[ObjectIdentifier(exchange)] = transfer
        noteDeadline(of: transfer)
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
                start(transfer.exchange, isFresh: true)
            } else {
                end(transfer, result)
            }
        }
    }

    /// Delivers what has come, after the ends: what has come whole is delivered with its end.
    private func deliverArrivals() {
        for transfer in exchange(&arrivals.transfers, with: []) {
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

    private func endAll(_ error: ImageError) {
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
    }

    private func milliseconds(until time: ExchangeTimers.Instant?) -> Int32 {
        guard let time else { return Int32(Self.longestSleep) }
        return Int32(min(Self.longestSleep, clock.now.duration(to: time).wholeMilliseconds))
    }
}
