internal import CEaselCurl
internal import EaselCore
internal import EaselTransport

/// libcurl's multi handle and its transfers. Used by one thread, which alternates between `run` and `wait`.
///
/// libcurl manages its own sockets and timers, and `curl_multi_poll` waits for all of them. Each turn performs commands
/// first. `curl_multi_socket_action` is unsuitable: libcurl 8.14 repeatedly sets a timer of 0 ms for a transfer that
/// pauses in its write callback, and a loop that runs all expired timers first never reaches the command to resume.
final class TransferLoop {
    /// A signal that interrupts the wait of the loop's thread. Any thread can use it while the loop exists.
    struct Wakeup: @unchecked Sendable {
        // Sendable: `curl_multi_wakeup` is the only function that any thread may call with a multi handle. `Engine`
        // removes its copy, under the lock that guards its use, before the handle is freed.
        fileprivate let multi: UnsafeMutableRawPointer

        func send() { curl_multi_wakeup(multi) }
    }

    private static let maxIdleConnections = 32
    /// The maximum wait without an event. Every event ends the wait earlier.
    private static let longestWait = Duration.seconds(3600)
    private static let outOfMemory = ImageError.unsupported("No memory is available to load over the network.")

    private let settings: TransportSettings
    private let multi: UnsafeMutableRawPointer
    private let share: UnsafeMutableRawPointer
    private var isClosed = false
    private var transfers: [ObjectIdentifier: Transfer] = [:]
    private var arrivals: [Transfer] = []
    /// A lower bound of all deadlines.
    private var nextDeadline: ExchangeTimers.Instant?

    /// Returns `nil` if memory runs out.
    init?(_ settings: TransportSettings) {
        guard let multi = curl_multi_init() else { return nil }
        guard let share = curl_share_init() else {
            curl_multi_cleanup(multi)
            return nil
        }
        self.settings = settings
        self.multi = multi
        self.share = share
        // New connections to a known host resume its TLS session. Only one thread uses the share, so it needs no locks.
        easel_curl_share_data(share, CURL_LOCK_DATA_SSL_SESSION)
        easel_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        easel_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, settings.connectionsPerHost)
        easel_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.maxIdleConnections)
    }

    deinit { close() }

    /// Closes every connection and frees libcurl's handles. The loop is unusable afterwards.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        // The last bytes of an ended transfer put it here again. libcurl does not free a share that a handle uses.
        arrivals = []
        curl_multi_cleanup(multi)
        curl_share_cleanup(share)
    }

    var wakeup: Wakeup { Wakeup(multi: multi) }

    /// Performs commands and all libcurl work that does not block.
    func run(_ commands: [Engine.Command]) {
        for command in commands { perform(command) }
        var runningCount: Int32 = 0
        if curl_multi_perform(multi, &runningCount) != CURLM_OK { endAll(Self.outOfMemory) }
        finishCompleted()
        deliverArrivals()
        endOverdue()
    }

    /// Waits for an event on a socket, libcurl's next timer, the next deadline, or a wakeup. Returns immediately if a
    /// wakeup occurred since the last wait.
    func wait() {
        let timeout =
            nextDeadline.map { min(SuspendingClock.now.duration(to: $0), Self.longestWait) } ?? Self.longestWait
        let milliseconds = (max(.zero, timeout) / .milliseconds(1)).rounded(.up)
        if curl_multi_poll(multi, nil, 0, Int32(milliseconds), nil) != CURLM_OK { endAll(Self.outOfMemory) }
    }

    func recordArrival(_ transfer: Transfer) { arrivals.append(transfer) }

    // MARK: Commands

    private func perform(_ command: Engine.Command) {
        switch command {
        case .start(let exchange): start(exchange, isFresh: false)
        case .resume(let exchange):
            // The transfer may have paused again; the next read resumes it.
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
        updateNextDeadline(for: transfer)
    }

    // MARK: Ends

    private func finishCompleted() {
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(multi, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let transfer = Transfer.of(easy)
            else { continue }
            let result = transfer.result(of: message.pointee.data.result)
            if transfer.mayContainEarlierResponse(result) {
                remove(transfer)
                start(transfer.exchange, isFresh: true)
            } else {
                end(transfer, result)
            }
        }
    }

    /// Delivers received data. Ends come first, so a complete response is delivered together with its end.
    private func deliverArrivals() {
        for transfer in exchange(&arrivals, with: []) {
            guard transfers[ObjectIdentifier(transfer.exchange)] === transfer else { continue }
            transfer.deliver()
            updateNextDeadline(for: transfer)
        }
    }

    /// Moves the next deadline forward if necessary. `endOverdue` moves it back.
    private func updateNextDeadline(for transfer: Transfer) {
        guard let time = transfer.timers.deadline?.time else { return }
        nextDeadline = min(nextDeadline ?? time, time)
    }

    private func endOverdue() {
        guard let nextDeadline, case let now = SuspendingClock.now, nextDeadline <= now else { return }
        self.nextDeadline = nil
        for transfer in Array(transfers.values) {
            if let (time, timeout) = transfer.timers.deadline, time <= now {
                end(transfer, .failure(.timedOut(timeout)))
            } else {
                updateNextDeadline(for: transfer)
            }
        }
    }

    func endAll(_ error: ImageError) {
        for transfer in Array(transfers.values) { end(transfer, .failure(error)) }
    }

    private func end(_ transfer: Transfer, _ result: Result<Void, ImageError>) {
        if case .failure = result { transfer.abandon() }
        remove(transfer)
        transfer.finish(result)
    }

    /// Removes a transfer. Closes its connection or stream unless the transfer is complete.
    private func remove(_ transfer: Transfer) {
        transfers[ObjectIdentifier(transfer.exchange)] = nil
        curl_multi_remove_handle(multi, transfer.handle.pointer)
    }
}
