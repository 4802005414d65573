internal import CEaselCurl
internal import EaselCore

/// One exchange as libcurl carries it: the easy handle, and what has come so far.
///
/// Belongs to the loop. libcurl holds an unowned pointer to it, from `init` until the loop takes it out.
final class Transfer {
    let exchange: Exchange
    let handle: EasyHandle
    private(set) var timers: ExchangeTimers

    private let clock: SuspendingClock
    private let headers: HeaderList
    private var parser = HeadParser()
    private var failure: ImageError?
    private var receivedCount = 0
    private var expectedCount: Int?
    private var isPaused = false
    /// Whether its sockets are a connection's, and not what finds an address.
    private(set) var isConnected = false
    /// A challenge that libcurl may still answer; it is the answer only if no other comes.
    private var challenge: ResponseHead?
    private let addressCheck: AddressCheck?
    private let isFresh: Bool
    /// What has come since the loop last delivered: a small answer is handed over whole, and wakes its reader once.
    private var arrivedHead: ResponseHead?
    private var arrivedBytes: [UInt8] = []
    /// Pieces of a long body that were delivered. When their reader is done with them, later ones take their memory: else
    /// each would be cleared by the system, and given back to it.
    private var deliveredPieces: [[UInt8]] = []
    private let events: LoopEvents
    private var isListed = false
    /// The most bytes that are gathered before they are delivered.
    private static let largestGathering = 64 << 10
    /// From where on pieces are kept: a shorter body has too few of them.
    private static let longBody = 1 << 20
    private static let keptPieces = 2

    /// `nil` where there is no memory left.
    ///
    /// - Parameter isFresh: whether no kept connection is used.
    init?(
        _ exchange: Exchange, handle: EasyHandle, headers: HeaderList, settings: TransportSettings,
        share: UnsafeMutableRawPointer, clock: SuspendingClock, isFresh: Bool, events: LoopEvents
    ) {
        self.events = events
        self.exchange = exchange
        self.handle = handle
        self.clock = clock
        self.isFresh = isFresh
        self.headers = headers
        timers = ExchangeTimers(exchange.request.timeouts, started: clock.now)
        addressCheck =
            exchange.request.requiresPublicAddress
            ? AddressCheck(host: exchange.url.host, translationPrefixes: exchange.request.translationPrefixes) : nil
        if case .digest = exchange.request.credential { parser.expectsAnother = true }
        handle.configure(for: exchange, settings: settings, share: share, isFresh: isFresh)
        easel_curl_keep_sockets(handle.pointer, addressCheck?.pointer)
        events.closeSockets(of: handle)
        handle.set(CURLOPT_HTTPHEADER, UnsafeMutableRawPointer(headers.first))
        handle.set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(handle.message.emptied()))
        let code = easel_curl_set_callbacks(
            handle.pointer,
            { bytes, size, count, context in
                Transfer.at(context)?.takeHead(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
            },
            { bytes, size, count, context in
                Transfer.at(context)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
            },
            { context, remote, _, _, _ in
                let mayGoOn = Transfer.at(context)?.isConnected(to: remote) ?? true
                return Int32(mayGoOn ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT)
            },
            Unmanaged.passUnretained(self).toOpaque())
        guard code == CURLE_OK else { return nil }
    }

    /// The transfer that an easy handle carries.
    static func of(_ easy: UnsafeMutableRawPointer?) -> Transfer? {
        guard let easy else { return nil }
        var context: UnsafeMutableRawPointer?
        easel_curl_get_pointer(easy, CURLINFO_PRIVATE, &context)
        return at(context)
    }

    /// The transfer that libcurl was given as context. It lives as long as libcurl may call.
    private static func at(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: What the loop asks

    /// Goes on after a pause. libcurl may hand over bytes before this returns.
    func resume(at now: ExchangeTimers.Instant) -> ImageError? {
        timers.resumed(at: now)
        list()
        isPaused = false
        let code = curl_easy_pause(handle.pointer, CURLPAUSE_CONT)
        return code == CURLE_OK ? nil : error(for: code)
    }

    /// Gets ready to be taken out before the end. While it pauses an HTTP/2 stream libcurl keeps what still comes, and
    /// (7.88) never frees it once the stream is cancelled; going on makes it hand everything over.
    func abandon() {
        if isPaused { curl_easy_pause(handle.pointer, CURLPAUSE_CONT) }
    }

    /// Delivers what has come.
    func deliver() {
        isListed = false
        deliverHead()
        deliverBytes()
    }

    /// Delivers what has come, and the end.
    func finish(_ result: Result<Void, ImageError>) {
        // No pause: nothing follows.
        if !arrivedBytes.isEmpty { events.add(exchange.deliver(arrivedBytes).delivery) }
        events.add(exchange.finish(result, head: arrivedHead))
        arrivedHead = nil
        arrivedBytes = []
    }

    private func deliverHead() {
        if let head = arrivedHead.take() { events.add(exchange.deliver(head)) }
    }

    private func deliverBytes() {
        guard !arrivedBytes.isEmpty else { return }
        let bytes = arrivedBytes
        arrivedBytes = nextPiece(after: bytes)
        let (delivery, pauses) = exchange.deliver(bytes)
        events.add(delivery)
        guard pauses else { return }
        timers.paused()
        isPaused = true
        curl_easy_pause(handle.pointer, CURLPAUSE_RECV)
    }

    /// Room for the next piece: that of the one before the last, where nobody has it any more.
    private func nextPiece(after last: [UInt8]) -> [UInt8] {
        guard last.count >= Self.largestGathering, receivedCount >= Self.longBody else { return [] }
        deliveredPieces.append(last)
        guard deliveredPieces.count > Self.keptPieces else { return [] }
        var piece = deliveredPieces.removeFirst()
        piece.removeAll(keepingCapacity: true)
        return piece
    }

    /// Has the loop deliver, and look at the timers.
    private func list() {
        guard !isListed else { return }
        isListed = true
        events.transfers.append(self)
    }

    /// What libcurl's end of this transfer means.
    func result(of code: CURLcode) -> Result<Void, ImageError> {
        if let failure { return .failure(failure) }
        if code != CURLE_OK { return .failure(error(for: code)) }
        deliverChallenge()
        // libcurl calls a connection that closes inside the head a success.
        return parser.isComplete ? .success(()) : .failure(.connectionLost(received: 0, expected: nil))
    }

    /// Whether what came in place of a head was perhaps left over on a kept connection, by an answer that was longer than
    /// it said: libcurl (7.88) does not notice. A new connection will tell.
    func isSpoilt(_ result: Result<Void, ImageError>) -> Bool {
        guard case .failure(.invalidResponse) = result, !isFresh, !parser.isComplete, challenge == nil,
            ["GET", "HEAD"].contains(exchange.head.method)
        else { return false }
        return handle.long(CURLINFO_NUM_CONNECTS) == 0
    }

    private func error(for code: CURLcode) -> ImageError {
        failure ?? addressCheck?.failure
            ?? CurlFailure(
                code: code, host: exchange.url.host, message: handle.message.text,
                systemError: Int32(truncatingIfNeeded: handle.long(CURLINFO_OS_ERRNO)), received: receivedCount,
                expected: expectedCount
            ).error
    }

    // MARK: What libcurl calls

    /// Returns whether the request may be sent: a kept connection was perhaps made for somebody who may go anywhere.
    private func isConnected(to remote: UnsafePointer<CChar>?) -> Bool {
        timers.connected(at: clock.now)
        isConnected = true
        list()
        guard let addressCheck, let remote else { return addressCheck == nil }
        return addressCheck.allows(String(cString: remote))
    }

    private func takeHead(_ line: UnsafeRawBufferPointer) -> Int {
        do throws(ImageError) {
            guard var head = try parser.take(line) else { return line.count }
            expectedCount = head.contentLength
            timers.received(at: clock.now)
            head.connectTime = handle.connectTime
            if parser.expectsAnother, head.status == 401 {
                challenge = head
            } else {
                challenge = nil
                arrivedHead = head
                list()
            }
            return line.count
        } catch {
            failure = error
            return 0
        }
    }

    /// libcurl gives away no byte of an answer that it does not leave at that.
    private func deliverChallenge() {
        if let challenge { arrivedHead = challenge }
        challenge = nil
    }

    /// Takes the bytes even where it pauses: those that are refused stay in libcurl's memory, on top of our bound.
    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard !bytes.isEmpty else { return 0 }
        guard parser.isComplete else {
            failure = .invalidResponse("its body comes before its head.")
            return 0
        }
        deliverChallenge()
        timers.received(at: clock.now)
        list()
        if arrivedBytes.isEmpty, let expectedCount {
            // The last read before the bytes are delivered may go beyond the bound.
            let rest = min(expectedCount - receivedCount, Self.largestGathering + bytes.count)
            arrivedBytes.reserveCapacity(max(rest, bytes.count))
        }
        receivedCount += bytes.count
        arrivedBytes.append(contentsOf: bytes)
        if arrivedBytes.count >= min(Self.largestGathering, exchange.request.highWatermark) {
            deliverHead()
            deliverBytes()
        }
        return bytes.count
    }
}
