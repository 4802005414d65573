#if !Sandbox
package import EaselCore
import EaselFoundation

/// The runner without the package trait Sandbox. It has no workers.
final class SandboxRunner: Sendable {
    private static let reason = "The package trait Sandbox is not enabled."
    let statistics = Sandbox.Statistics()

    init(_ configuration: Sandbox.Configuration) { configuration.reportStatus(status()) }

    func status() -> Sandbox.Status { .unavailable(reason: Self.reason) }
    func newSession() -> SandboxSession { SandboxSession(number: 0) }
    func countUnprotected() {}

    func header(_ job: SandboxJob, _ operation: WorkerJob.Operation) throws(SandboxFailure) -> ImageHeader {
        throw .unavailable(Self.reason)
    }
    func metadata(_ job: SandboxJob) throws(SandboxFailure) -> FileMetadata { throw .unavailable(Self.reason) }
    func preview(_ job: SandboxJob) throws(SandboxFailure) -> ImagePreview? { throw .unavailable(Self.reason) }
    func image(_ job: SandboxJob, _ operation: WorkerJob.Operation) throws(SandboxFailure) -> DecodedImage {
        throw .unavailable(Self.reason)
    }
}

extension Sandbox {
    /// Does nothing.
    package static func runWorkerIfRequested(coders: () -> CoderRegistry) {}
}
#endif
