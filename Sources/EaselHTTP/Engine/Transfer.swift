internal import CEaselCurl
internal import EaselCore
internal import EaselTransport

/// One exchange in libcurl: the easy handle and the data received so far.
///
/// Used only by the loop's thread. libcurl holds an unowned pointer to it, from `init` until the loop removes it.
final class Transfer {
    /// The number of received bytes that triggers a delivery before the end of the loop's turn.
    private static let deliveryThreshold = 64 << 10

    let exchange: Exchange
    let handle: EasyHandle
    private(set) var timers: ExchangeTimers

    private unowned let loop: TransferLoop
    private let isFresh: Bool
    private var parser = HeadParser()
    private var addressCheck: AddressCheck?
    private var failure: ImageError?
    private var receivedCount = 0
    private var expectedCount: Int?
    private var isPaused = false
    /// A head that can be followed by another one, since libcurl responds to challenges.
    private var pendingHead: ResponseHead?
    /// The head received since the last delivery. A small response is delivered at once, and resumes its reader once.
    private var arrivedHead: ResponseHead?
    private var arrivedBytes: [UInt8] = []
    /// Whether the transfer is in the loop's list of arrivals.
    private var isScheduled = false

    /// Returns `nil` if memory runs out.
    init?(_ exchange: Exchange, handle: EasyHandle, loop: TransferLoop, isFresh: Bool) {
        let request = exchange.request
        self.exchange = exchange
        self.handle = handle
        self.loop = loop
        self.isFresh = isFresh
        timers = ExchangeTimers(request.timeouts, started: .now)
        if request.requiresPublicAddress {
            addressCheck = AddressCheck(host: exchange.url.host)
        }
        if case .digest = request.credential { parser.expectsAnother = true }
        var callbacks = easel_curl_callbacks(
            lookup: { _, _, context in
                Transfer.at(context)?.recordConnecting()
                return 0
            },
            open: { context, _, address in
                guard let address, Transfer.at(context)?.allowsSocket(to: address) == true else {
                    return CURL_SOCKET_BAD
                }
                return easel_curl_open_socket(address)
            },
            ready: { context, remote, _, _, _ in
                let isAllowed = Transfer.at(context)?.allowsRequest(to: remote) ?? true
                return Int32(isAllowed ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT)
            },
            head: { bytes, size, count, context in
                Transfer.at(context)?.receiveHead(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
            },
            body: { bytes, size, count, context in
                Transfer.at(context)?.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
            })
        let context = Unmanaged.passUnretained(self).toOpaque()
        guard easel_curl_set_callbacks(handle.pointer, &callbacks, context) == CURLE_OK else { return nil }
    }

    static func of(_ easy: UnsafeMutableRawPointer) -> Transfer? {
        var context: UnsafeMutableRawPointer?
        easel_curl_get_pointer(easy, CURLINFO_PRIVATE, &context)
        return at(context)
    }

    /// Returns the transfer of a libcurl context, which is valid as long as libcurl can call.
    private static func at(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: Called by the loop

    /// Resumes after a pause. libcurl can deliver bytes before this returns.
    func resume() -> ImageError? {
        timers.didResume(at: .now)
        recordArrival()
        isPaused = false
        let code = curl_easy_pause(handle.pointer, CURLPAUSE_CONT)
        return code == CURLE_OK ? nil : error(for: code)
    }

    /// Prepares for removal before the end. libcurl 7.88 leaks data buffered for a paused HTTP/2 stream if the stream
    /// is cancelled. Resuming delivers all of it.
    func abandon() {
        if isPaused { curl_easy_pause(handle.pointer, CURLPAUSE_CONT) }
    }

    /// Delivers received data, and pauses libcurl if too much of it is unread.
    func deliver() {
        isScheduled = false
        if let head = arrivedHead.take() { exchange.response.deliver(head) }
        let bytes = takeArrivedBytes()
        guard !bytes.isEmpty, exchange.response.deliver(bytes) else { return }
        timers.didPause()
        isPaused = true
        curl_easy_pause(handle.pointer, CURLPAUSE_RECV)
    }

    func finish(_ result: Result<Void, ImageError>) {
        let bytes = takeArrivedBytes()
        if !bytes.isEmpty { _ = exchange.response.deliver(bytes) }
        exchange.response.finish(result, head: arrivedHead.take())
    }

    /// Returns the result for libcurl's code at the end of the transfer.
    func result(of code: CURLcode) -> Result<Void, ImageError> {
        if let failure { return .failure(failure) }
        if code != CURLE_OK { return .failure(error(for: code)) }
        acceptPendingHead()
        // libcurl reports success if a connection closes inside the head.
        return parser.isComplete ? .success(()) : .failure(.connectionLost(received: 0, expected: nil))
    }

    /// Returns whether the response may be the rest of an earlier one on a reused connection that exceeded its length,
    /// which libcurl 7.88 does not detect. The request is then repeated on a new connection.
    func mayContainEarlierResponse(_ result: Result<Void, ImageError>) -> Bool {
        guard case .failure(let error) = result, error.code == .invalidResponse, !isFresh, !parser.isComplete,
            pendingHead == nil
        else {
            return false
        }
        return ["GET", "HEAD"].contains(exchange.head.method) && handle.long(CURLINFO_NUM_CONNECTS) == 0
    }

    private func error(for code: CURLcode) -> ImageError {
        failure ?? addressCheck?.failure
            ?? CurlFailure(
                code: code, host: exchange.url.host, message: handle.failureText,
                systemError: Int32(truncatingIfNeeded: handle.long(CURLINFO_OS_ERRNO)), received: receivedCount,
                expected: expectedCount
            ).error
    }

    private func takeArrivedBytes() -> [UInt8] {
        defer { arrivedBytes = [] }
        return arrivedBytes
    }

    /// Schedules a delivery and a check of the timers.
    private func recordArrival() {
        if !isScheduled { loop.recordArrival(self) }
        isScheduled = true
    }

    // MARK: Called by libcurl

    private func recordConnecting() {
        timers.didStartConnecting(at: .now)
        recordArrival()
    }

    private func allowsSocket(to address: UnsafePointer<curl_sockaddr>) -> Bool {
        recordConnecting()
        var count = 0
        let bytes = easel_curl_address_bytes(address, &count)
        return addressCheck?.allows(IPAddress(bytes: UnsafeRawBufferPointer(start: bytes, count: count))) ?? true
    }

    /// Returns whether the request may be sent. A reused connection can come from a request without an address check.
    private func allowsRequest(to remote: UnsafePointer<CChar>?) -> Bool {
        timers.didConnect(at: .now)
        recordArrival()
        return addressCheck?.allows(remote.flatMap { IPAddress(String(cString: $0)) }) ?? true
    }

    private func receiveHead(_ line: UnsafeRawBufferPointer) -> Int {
        do throws(ImageError) {
            guard var head = try parser.append(line) else { return line.count }
            expectedCount = head.contentLength
            timers.didReceive(at: .now)
            head.connectTime = handle.connectTime
            pendingHead = head
            // libcurl delivers no body for a challenge that it responds to.
            if !parser.expectsAnother || head.status != 401 { acceptPendingHead() }
            return line.count
        } catch {
            failure = error
            return 0
        }
    }

    /// Accepts the pending head as that of the response.
    private func acceptPendingHead() {
        guard let head = pendingHead.take() else { return }
        arrivedHead = head
        recordArrival()
    }

    /// Accepts bytes even during a pause, since libcurl would buffer refused bytes in addition to the limit.
    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard !bytes.isEmpty else { return 0 }
        guard parser.isComplete else {
            failure = .invalidResponse("its body comes before its head.")
            return 0
        }
        acceptPendingHead()
        timers.didReceive(at: .now)
        recordArrival()
        if arrivedBytes.isEmpty, let expectedCount {
            // The last read before a delivery can exceed the limit.
            let remaining = min(expectedCount - receivedCount, Self.deliveryThreshold + bytes.count)
            arrivedBytes.reserveCapacity(max(remaining, bytes.count))
        }
        receivedCount += bytes.count
        arrivedBytes.append(contentsOf: bytes)
        if arrivedBytes.count >= min(Self.deliveryThreshold, exchange.request.highWatermark) { deliver() }
        return bytes.count
    }
}

/// A check that restricts a transfer to public addresses and records rejections.
///
/// libcurl passes the exact address of each socket that it opens, and the remote address of each reused connection.
struct AddressCheck {
    private let host: String
    private var refusal: String?
    private var hasAllowed = false

    init(host: String) { self.host = host }

    /// The error of a transfer for which every address was rejected; `nil` if an address was allowed.
    var failure: ImageError? {
        hasAllowed ? nil : refusal.map { .forbiddenAddress(host: host, reason: "its address \($0)") }
    }

    /// Returns whether an address is allowed; `nil` is an address of unknown family.
    mutating func allows(_ address: IPAddress?) -> Bool {
        guard let address else {
            refusal = "is of an unknown kind"
            return false
        }
        guard let purpose = address.specialPurpose else {
            hasAllowed = true
            return true
        }
        refusal = "\(address) is \(purpose)"
        return false
    }
}
