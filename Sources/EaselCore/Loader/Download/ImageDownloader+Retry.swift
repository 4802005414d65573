import EaselFoundation
import Synchronization

extension ImageDownloader {
    /// Repeats attempts until one succeeds or the policy ends them. Each waits for admission: during a pause, other
    /// downloads run.
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
    /// - Throws: The failure's error if there is no next attempt.
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

    /// Waits for a network if there is none and the policy requires that. Returns whether it did.
    private func waitForNetwork(
        after error: ImageError, _ request: ImageRequest
    ) async throws(ImageError) -> Bool {
        guard request.retry.waitsForNetwork, error.code == .unreachable, !configuration.isNetworkUp() else {
            return false
        }
        repeat {
            do { try await clock.sleep(.seconds(1)) } catch { throw .cancelled }
        } while !configuration.isNetworkUp()
        return true
    }

    private func mayRetry(_ host: String) -> Bool {
        let now = clock.now()
        return budget.withLock { $0.take(host, at: now) }
    }
}

/// The `Retry-After` field (RFC 9110 10.2.3).
enum RetryAfter {
    /// Returns the wait; `nil` if the field is missing or malformed. A date is relative to the server's `Date`, or to
    /// `now` without one.
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

/// The remaining retries of each host.
struct RetryBudget: Sendable {
    private let rate: RateLimit?
    private var buckets: [String: TokenBucket] = [:]
    private static let capacity = 256

    /// - Parameter rate: The limit of a host; `nil` for none.
    init(_ rate: RateLimit?) { self.rate = rate }

    /// The number of hosts with a bucket.
    var hostCount: Int { buckets.count }

    /// Counts an attempt. Returns whether it is allowed.
    mutating func take(_ host: String, at now: Duration) -> Bool {
        guard let rate else { return true }
        if buckets.count >= Self.capacity, buckets[host] == nil { removeFullBuckets(at: now) }
        return buckets[host, default: TokenBucket(rate)].take(at: now)
    }

    /// Removes hosts without recent retries or, if that is not enough, all, so that memory stays bounded.
    private mutating func removeFullBuckets(at now: Duration) {
        buckets = buckets.filter { !$0.value.isFull(at: now) }
        if buckets.count >= Self.capacity { buckets.removeAll() }
    }
}
