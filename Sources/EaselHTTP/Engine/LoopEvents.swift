internal import CEaselCurl
internal import EaselCore

/// What libcurl has told since the loop last looked. libcurl holds an unowned pointer to it, and the loop owns it.
final class LoopEvents {
    /// What to sleep on.
    var sockets = SocketTable()
    /// When libcurl wants to be called, whatever happens.
    private(set) var time: ExchangeTimers.Instant?
    /// The transfers to which something has happened.
    var transfers: [Transfer] = []
    /// Who is to be told of it.
    var deliveries: [Delivery] = []

    private let clock: SuspendingClock

    init(clock: SuspendingClock) {
        self.clock = clock
    }

    func add(_ delivery: Delivery?) {
        if let delivery { deliveries.append(delivery) }
    }

    /// Whether libcurl's time has come.
    var isDue: Bool { time.map { $0 <= clock.now } ?? false }

    /// The same for who calls it then, once.
    func takesTurn() -> Bool {
        guard isDue else { return false }
        time = nil
        return true
    }

    // MARK: What libcurl calls

    /// Has libcurl tell of its sockets and times.
    func listen(to multi: UnsafeMutableRawPointer) {
        easel_curl_multi_set_callbacks(
            multi,
            { easy, socket, what, context, _ in
                LoopEvents.at(context)?.note(socket, what, Transfer.of(easy))
                return 0
            },
            { _, milliseconds, context in
                LoopEvents.at(context)?.note(milliseconds)
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Has the sockets of a transfer's connections closed here, so that none is slept on any more.
    func closeSockets(of handle: EasyHandle) {
        easel_curl_set_close(
            handle.pointer,
            { context, socket in
                LoopEvents.at(context)?.sockets.forget(socket)
                return easel_curl_close_socket(socket)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> LoopEvents? {
        context.map { Unmanaged<LoopEvents>.fromOpaque($0).takeUnretainedValue() }
    }

    private func note(_ socket: Int32, _ what: Int32, _ transfer: Transfer?) {
        switch what {
        case CURL_POLL_IN: sockets.want(socket, .reading)
        case CURL_POLL_OUT: sockets.want(socket, .writing)
        case CURL_POLL_INOUT: sockets.want(socket, [.reading, .writing])
        default: sockets.release(socket, isConnection: transfer?.isConnected == true)
        }
    }

    private func note(_ milliseconds: Int) {
        time = milliseconds < 0 ? nil : clock.now.advanced(by: .milliseconds(milliseconds))
    }
}
