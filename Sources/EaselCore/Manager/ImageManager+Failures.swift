public import EaselFoundation

extension ImageManager {
    /// Forgets which URLs failed, so that all are tried again (X040).
    public func forgetFailures() {
        pipeline.failures.forgetAll()
    }

    /// Forgets that what this request asks for failed, so that it is tried again (X040, R009).
    public func forgetFailure(of request: ImageRequest) {
        pipeline.failures.forget(processed(request))
    }

    /// Forgets that a URL failed, so that it is tried again (X040, R009).
    public func forgetFailure(of url: URL) {
        forgetFailure(of: ImageRequest(url))
    }
}
