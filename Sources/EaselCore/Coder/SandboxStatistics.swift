/// Counts of the workers and jobs of a sandbox, which decodes images in other processes. See the module EaselSandbox.
public struct SandboxStatistics: Sendable, Hashable {
    /// The number of workers that were started.
    public var startedWorkers = 0
    /// The number of jobs for workers: headers, metadata, images and frames.
    public var jobs = 0
    /// The number of workers that ended during a job or sent an invalid answer.
    public var crashes = 0
    /// The crashes by cause: the name of the signal, such as `SIGSEGV`; `exit` for a worker that ended by itself;
    /// `invalidAnswer`; `unknown` if all workers ended. Their sum is `crashes`.
    public var crashesByCause: [String: Int] = [:]
    /// The number of workers that were stopped because they exceeded the decoding time.
    public var timeouts = 0
    /// The number of workers that were stopped because a load was cancelled.
    public var cancellations = 0
    /// The number of jobs that ran in this process because no worker could be started.
    public var unprotected = 0

    package init() {}
}
