internal import CEaselCurl
internal import EaselCore

/// libcurl's multi handle and its transfers. Used by one thread, which alternates between `run` and `wait`.
///
/// libcurl keeps its own sockets and timers, and `curl_multi_poll` waits for all of them. Each turn takes the commands first:
/// under `curl_multi_socket_action`, libcurl 8.14 sets a timer of 0 ms again and again for a transfer that pauses in its write
/// callback, and a loop that runs expired timers until there are none never takes the command that resumes the transfer.
final class TransferLoop {
    /// Ends the wait of the loop's thread. May be used from any thread while the loop exists.
    struct Wakeup: @unchecked Sendable {
        // Sendable: `curl_multi_wakeup` is the one function of libcurl that any thread may call with a multi handle. `Engine`
        // removes its copy, under the lock under which it is used, before the handle is freed.
        fileprivate let multi: UnsafeMutableRawPointer

        func send() { curl_multi_wakeup(multi) }
    }

    /// Idle connections that are kept for later exchanges.
    private static let keptConnections = 32
    /// The longest wait without an event. It bounds nothing: every event ends the wait.
    private static let longestWait = Duration.seconds(3600)
    private static let outOfMemory = ImageError.unsupported("There is no memory left to load over the network.")

    private let settings: TransportSettings
    private let multi: UnsafeMutableRawPointer
    private let share: UnsafeMutableRawPointer
    private var isClosed = false
    private var transfers: [ObjectIdentifier: Transfer] = [:]
    /// Transfers that have received something since it was last delivered.
    private var arrivals: [Transfer] = []
    /// No transfer times out before this.
    private var nextDeadline: ExchangeTimers.Instant?

    /// Returns `nil` if there is no memory left.
    init?(_ settings: TransportSettings) {
        guard let multi = curl_multi_init() else { return nil }
        guard let share = curl_share_init() else {
            curl_multi_cleanup(multi)
            return nil
        }
        self.settings = settings
        self.multi = multi
        self.share = share
        // A new connection to a known host resumes its TLS session. One thread uses the share: it needs no locks.
        easel_curl_share_data(share, CURL_LOCK_DATA_SSL_SESSION)
        easel_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        easel_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, settings.connectionsPerHost)
        easel_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.keptConnections)
    }

    deinit { close() }

    /// Closes every connection and frees libcurl's handles. No other call may follow.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        curl_multi_cleanup(multi)
        curl_share_cleanup(share)
    }

    /// Ends a wait of this loop.
    var wakeup: Wakeup { Wakeup(multi: multi) }

    /// Performs commands and everything that libcurl can do without waiting.
    func run(_ commands: [Engine.Command]) {
        for command in commands { perform(command) }
        var runningCount: Int32 = 0
        if curl_multi_perform(multi, &runningCount) != CURLM_OK { endAll(Self.outOfMemory) }
        finishCompleted()
        deliverArrivals()
        endOverdue()
    }

    /// Waits for an event on a socket, libcurl's next timer, the next deadline, or a wakeup. A wakeup
    /// since the last wait ends this one at once.
    func wait() {
        let rest = nextDeadline.map { min(SuspendingClock.now.duration(to: $0), Self.longestWait) } ?? Self.longestWait
        let milliseconds = (max(.zero, rest) / .milliseconds(1)).rounded(.up)
        if curl_multi_poll(multi, nil, 0, Int32(milliseconds), nil) != CURLM_OK { endAll(Self.outOfMemory) }
    }

    /// Records that a transfer has something to deliver.
    func noteArrival(_ transfer: Transfer) { arrivals.append(transfer) }

    // MARK: Commands

    private func perform(_ command: Engine.Command) {
        switch command {
        case .start(let exchange): start(exchange, isFresh: false)
        case .resume(let exchange):
            // The transfer may have paused again in the meantime; the reader's next turn resumes it then.
            guard let transfer = transfers[ObjectIdentifier(exchange)], !exchange.response.backlog.isPaused else {
                return
            }
            if let error = transfer.resume() { end(transfer, .failure(error)) }
        case .cancel(let exchange):
            guard let transfer = transfers[ObjectIdentifier(exchange)] else { return }
            end(transfer, .failure(.cancelled))
        }
    }

    private func start(_ exchange: Exchange, isFresh: Bool) {
        guard !exchange.response.isOver else { return }
        guard let handle = EasyHandle(headers: exchange.head.lines),
            let transfer = Transfer(exchange, handle: handle, loop: self, isFresh: isFresh)
        else { return exchange.response.finish(.failure(Self.outOfMemory)) }
        handle.configure(for: exchange, settings: settings, share: share, isFresh: isFresh)
        guard curl_multi_add_handle(multi, handle.pointer) == CURLM_OK else {
            return exchange.response.finish(.failure(Self.outOfMemory))
        }
        transfers[ObjectIdentifier(exchange)] = transfer
        noteDeadline(of: transfer)
    }

    // MARK: Ends

    private func finishCompleted() {
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(multi, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let transfer = Transfer.of(easy)
            else { continue }
            let result = transfer.result(of: message.pointee.data.result)
            if transfer.isSpoiled(result) {
                remove(transfer)
                start(transfer.exchange, isFresh: true)
            } else {
                end(transfer, result)
            }
        }
    }

    /// Delivers what has arrived. The ends come first: a complete answer is delivered together with its end.
    private func deliverArrivals() {
        for transfer in exchange(&arrivals, with: []) {
            guard transfers[ObjectIdentifier(transfer.exchange)] === transfer else { continue }
            transfer.deliver()
            noteDeadline(of: transfer)
        }
    }

    /// Moves the next deadline forward if necessary. `endOverdue` moves it back.
    private func noteDeadline(of transfer: Transfer) {
        guard let time = transfer.timers.deadline?.time else { return }
        nextDeadline = min(nextDeadline ?? time, time)
    }

    /// Ends the transfers whose deadline has passed.
    private func endOverdue() {
        guard let nextDeadline, case let now = SuspendingClock.now, nextDeadline <= now else { return }
        self.nextDeadline = nil
        for transfer in Array(transfers.values) {
            if let (time, timeout) = transfer.timers.deadline, time <= now {
                end(transfer, .failure(.timedOut(timeout)))
            } else {
                noteDeadline(of: transfer)
            }
        }
    }

    /// Ends every transfer with an error.
    func endAll(_ error: ImageError) {
        for transfer in Array(transfers.values) { end(transfer, .failure(error)) }
    }

    private func end(_ transfer: Transfer, _ result: Result<Void, ImageError>) {
        if case .failure = result { transfer.abandon() }
        remove(transfer)
        transfer.finish(result)
    }

    /// Removes a transfer, which closes its connection or stream unless the transfer is complete.
    private func remove(_ transfer: Transfer) {
        transfers[ObjectIdentifier(transfer.exchange)] = nil
        curl_multi_remove_handle(multi, transfer.handle.pointer)
    }
}
