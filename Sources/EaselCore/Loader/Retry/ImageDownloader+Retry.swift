import EaselFoundation
import Synchronization

/// Attempts until one succeeds, or no other can help (P010, B77, B78).
extension ImageDownloader {
    /// Each attempt waits for its turn anew: while one pauses, others have its place.
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

    /// Waits until there is reason to try again. Returns whether the failure counts.
    ///
    /// Not inlined: most attempts are the first and the last, and would have room for this too.
    ///
    /// - Throws: the failure's error where there is no such reason.
    @inline(never)
    private func pause(
        after failure: RetryFailure, _ request: ImageRequest, host: String, _ reporter: DownloadReporter
    ) async throws(ImageError) -> Bool {
        if try await networkIsBack(after: failure.error, request) { return false }
        guard let delay = request.retry.delay(after: failure, jitter: .random(in: 0...1)), mayRetry(host) else {
            throw failure.error
        }
        reporter.report(.retrying(after: delay, failure.error))
        do { try await clock.sleep(delay) } catch { throw ImageError.cancelled }
        return true
    }

    /// Waits for a network where there is none and the request wants to. Returns whether there is reason to ask at once.
    private func networkIsBack(
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
