import EaselFoundation
import Synchronization

/// Attempts until one succeeds, or no other can help.
extension ImageDownloader {
    /// Each attempt waits for its admission anew: during a pause others have its slot.
    func attempt(
        _ request: ImageRequest, host: String, _ context: LoadContext, _ reporter: DownloadReporter
    ) async throws(ImageError) -> LoadedData {
        var last: DownloadAttempt?
        var failures = 0
        while true {
            let queue = context.observation?.begin(.queued, request)
            do throws(ImageError) {
                return try await admission.run(group: host, context) { waited throws(ImageError) in
                    queue?.end()
                    reporter.start()
                    let attempt = DownloadAttempt(self, request, context, reporter, after: last, waited: waited)
                    last = attempt
                    return try await attempt.run()
                }
            } catch {
                queue?.end(.failed(error))
                let failure = RetryFailure(error: error, attempt: failures + 1, retryAfter: last?.retryAfter)
                if try await pause(after: failure, request, host: host, reporter) { failures += 1 }
            }
        }
    }

    /// Waits before the next attempt. Returns whether the failure counts.
    ///
    /// - Throws: the failure's error if there is no next attempt.
    private func pause(
        after failure: RetryFailure, _ request: ImageRequest, host: String, _ reporter: DownloadReporter
    ) async throws(ImageError) -> Bool {
        if try await waitForNetwork(after: failure.error, request) { return false }
        guard let delay = request.retry.delay(after: failure, jitter: .random(in: 0...1)), mayRetry(host) else {
            throw failure.error
        }
        reporter.report(.retrying(after: delay, failure.error))
        do { try await clock.sleep(delay) } catch { throw ImageError.cancelled }
        return true
    }

    /// Waits for a network if there is none and the policy says so. Returns whether it did.
    private func waitForNetwork(
        after error: ImageError, _ request: ImageRequest
    ) async throws(ImageError) -> Bool {
        guard request.retry.waitsForNetwork, case .unreachable = error,
            let reachability = configuration.reachability, !reachability.isReachable
        else { return false }
        do { try await reachability.waitUntilReachable() } catch { throw .cancelled }
        return true
    }

    private func mayRetry(_ host: String) -> Bool {
        let now = clock.now()
        return budget.withLock { $0.take(host, at: now) }
    }
}

/// The `Retry-After` field (RFC 9110 10.2.3).
enum RetryAfter {
    /// The wait, never negative; `nil` if there is none or it is malformed. A date is relative to the server's own
    /// `Date`, or to `now` without one.
    static func delay(_ headers: HTTPHeaders, now: Date) -> Duration? {
        guard let value = headers["Retry-After"] else { return nil }
        if !value.isEmpty, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return .seconds(Int(value).map { min($0, longest) } ?? longest)
        }
        guard let date = HTTPDate.parse(value, now: now) else { return nil }
        let reference = headers["Date"].flatMap { HTTPDate.parse($0, now: now) } ?? now
        return .seconds(min(max(0, date.timeIntervalSince(reference)), Double(longest)))
    }

    /// A year, in seconds.
    private static let longest = 365 * 86_400
}

/// The retries left for each host. Takes the time as a parameter.
struct RetryBudget: Sendable {
    private let rate: RateLimit?
    private var buckets: [String: TokenBucket] = [:]
    private static let capacity = 256

    /// - Parameter rate: a host's; `nil` sets no bound.
    init(_ rate: RateLimit?) {
        self.rate = rate
    }

    /// The number of hosts with a bucket.
    var hostCount: Int { buckets.count }

    /// Whether another attempt is allowed, which is then counted.
    mutating func take(_ host: String, at now: Duration) -> Bool {
        guard let rate else { return true }
        if buckets.count >= Self.capacity, buckets[host] == nil { forgetRested(at: now) }
        return buckets[host, default: TokenBucket(rate)].take(at: now)
    }

    /// Forgets hosts whose budget is full; if that is not enough, all, so that memory stays bounded.
    private mutating func forgetRested(at now: Duration) {
        buckets = buckets.filter { !$0.value.isFull(at: now) }
        if buckets.count >= Self.capacity { buckets.removeAll() }
    }
}
