internal import CEaselCurl
internal import EaselCore

/// One exchange as libcurl carries it: the easy handle, and what has arrived so far.
///
/// Used by the loop's thread alone. libcurl holds an unowned pointer to it, from `init` until the loop removes it.
final class Transfer {
    let exchange: Exchange
    let handle: EasyHandle
    private(set) var timers: ExchangeTimers

    private unowned let loop: TransferLoop
    private let headers: HeaderList
    private var parser = HeadParser()
    private var failure: ImageError?
    private var receivedCount = 0
    private var expectedCount: Int?
    private var isPaused = false
    /// A challenge that libcurl may still answer; it is the answer only if no other comes.
    private var challenge: ResponseHead?
    private var addressCheck: AddressCheck?
    private let opener: UnsafeMutablePointer<easel_curl_opener>
    private let isFresh: Bool
    /// What has arrived since the last delivery. A small answer is delivered whole, and wakes its reader once.
    private var arrivedHead: ResponseHead?
    private var arrivedBytes: [UInt8] = []
    /// Whether the loop has noted that there is something to deliver.
    private var isNoted = false
    /// The number of bytes at which arrived bytes are delivered before the turn of the loop ends.
    private static let largestGathering = 64 << 10

    /// `nil` where there is no memory left.
    ///
    /// - Parameter isFresh: whether no kept connection is used.
    init?(_ exchange: Exchange, handle: EasyHandle, headers: HeaderList, loop: TransferLoop, isFresh: Bool) {
        self.loop = loop
        opener = .allocate(capacity: 1)
        self.exchange = exchange
        self.handle = handle
        self.isFresh = isFresh
        self.headers = headers
        timers = ExchangeTimers(exchange.request.timeouts, started: loop.now)
        addressCheck =
            exchange.request.requiresPublicAddress
            ? AddressCheck(host: exchange.url.host, translationPrefixes: exchange.request.translationPrefixes) : nil
        if case .digest = exchange.request.credential { parser.expectsAnother = true }
        loop.configure(handle, for: exchange, isFresh: isFresh)
        handle.set(CURLOPT_HTTPHEADER, UnsafeMutableRawPointer(headers.first))
        handle.set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(handle.message.buffer))
        let context = Unmanaged.passUnretained(self).toOpaque()
        opener.initialize(
            to: easel_curl_opener(
                opens: { context, bytes, count in
                    Transfer.at(context)?.opensSocket(to: UnsafeRawBufferPointer(start: bytes, count: count)) ?? false
                }, context: context))
        let openerCode = easel_curl_set_connect_callbacks(
            handle.pointer,
            { _, _, context in
                Transfer.at(context)?.noteConnecting()
                return 0
            }, opener)
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
            context)
        guard openerCode == CURLE_OK, code == CURLE_OK else { return nil }
    }

    deinit { opener.deallocate() }

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

    // MARK: Called by the loop

    /// Goes on after a pause. libcurl may hand over bytes before this returns.
    func resume(at now: ExchangeTimers.Instant) -> ImageError? {
        timers.resumed(at: now)
        noteArrival()
        isPaused = false
        let code = curl_easy_pause(handle.pointer, CURLPAUSE_CONT)
        return code == CURLE_OK ? nil : error(for: code)
    }

    /// Gets ready to be taken out before the end. While it pauses an HTTP/2 stream libcurl keeps what still comes, and
    /// (7.88) never frees it once the stream is cancelled; going on makes it hand everything over.
    func abandon() {
        if isPaused { curl_easy_pause(handle.pointer, CURLPAUSE_CONT) }
    }

    /// Delivers what has arrived.
    func deliver() {
        isNoted = false
        deliverHead()
        deliverBytes()
    }

    /// Delivers what has arrived, and the end.
    func finish(_ result: Result<Void, ImageError>) {
        // A pause means nothing here: no bytes follow.
        if !arrivedBytes.isEmpty { _ = exchange.deliver(arrivedBytes) }
        exchange.finish(result, head: arrivedHead)
        arrivedHead = nil
        arrivedBytes = []
    }

    private func deliverHead() {
        if let head = arrivedHead.take() { exchange.deliver(head) }
    }

    private func deliverBytes() {
        guard !arrivedBytes.isEmpty, exchange.deliver(takeArrivedBytes()) else { return }
        timers.paused()
        isPaused = true
        curl_easy_pause(handle.pointer, CURLPAUSE_RECV)
    }

    private func takeArrivedBytes() -> [UInt8] {
        defer { arrivedBytes = [] }
        return arrivedBytes
    }

    /// Makes the loop deliver, and look at the timers.
    private func noteArrival() {
        guard !isNoted else { return }
        isNoted = true
        loop.noteArrival(self)
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
    func isSpoiled(_ result: Result<Void, ImageError>) -> Bool {
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

    // MARK: Called by libcurl

    private func noteConnecting() {
        timers.connecting(at: loop.now)
        noteArrival()
    }

    private func opensSocket(to address: UnsafeRawBufferPointer) -> Bool {
        noteConnecting()
        return addressCheck?.allows(IPAddress(bytes: address)) ?? true
    }

    /// Returns whether the request may be sent. A kept connection may come from a request without an address check.
    private func isConnected(to remote: UnsafePointer<CChar>?) -> Bool {
        timers.connected(at: loop.now)
        noteArrival()
        return addressCheck?.allows(remote.flatMap { IPAddress(String(cString: $0)) }) ?? true
    }

    private func takeHead(_ line: UnsafeRawBufferPointer) -> Int {
        do throws(ImageError) {
            guard var head = try parser.take(line) else { return line.count }
            expectedCount = head.contentLength
            timers.received(at: loop.now)
            head.connectTime = handle.connectTime
            if parser.expectsAnother, head.status == 401 {
                challenge = head
            } else {
                challenge = nil
                arrivedHead = head
                noteArrival()
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
        timers.received(at: loop.now)
        noteArrival()
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
