#if Sandbox
import CEaselSandbox
import EaselCodecs
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import EaselSandbox

extension ProcessTests {
    @Suite("Sandbox: resources after cancellation", .timeLimit(.minutes(5)))
    struct CancellationTests {
        @Test("after 1,000 random cancellations, no process and no descriptor is left")
        func cancellations() async throws {
            let image = try WebPCoder().encode(TestImage.gradient(64, 64).image(), EncodeOptions())
            let before = descriptorCount()
            try await WorkerPool.pixels.run { @Sendable () throws(ImageError) in
                let sandbox = try Sandbox {
                    $0.program = Sandboxes.programs.appending(path: "easel-decoder").path
                    $0.maximumWorkers = 2
                }
                let coder = SandboxedAnimationDecoding(animation: WebPCoder(), sandbox: sandbox)
                var random = SystemRandomNumberGenerator()
                for _ in 0..<1_000 {
                    // Cancels at any time from before the first message to after the last.
                    let time = Duration.microseconds(Int.random(in: 0...6_000, using: &random))
                    let start = ContinuousClock.now
                    let options = DecodeOptions(isCancelled: { start.duration(to: .now) >= time })
                    do throws(ImageError) {
                        _ = try coder.decode(image, options)
                    } catch {
                        guard error == .cancelled else { throw error }
                    }
                }
                _ = try coder.decode(image, DecodeOptions())
            }
            try await until { descriptorCount() <= before }
            try await until { workerProcesses().isEmpty }
        }

        @Test("the processes of a sandbox do not keep descriptors of the application open")
        func inheritance() throws {
            var ends: [Int32] = [-1, -1]
            // These descriptors are inherited: they do not have the flag FD_CLOEXEC.
            try #require(pipe(&ends) == 0)
            defer { close(ends[0]) }
            let sandbox = try Sandboxes.faulty()
            close(ends[1])
            #expect(easel_sandbox_is_closed(ends[0]))
            withExtendedLifetime(sandbox) {}
        }

        @Test("idle workers end, and releasing the sandbox ends its processes")
        func idleness() async throws {
            var sandbox: Sandbox? = try Sandboxes.faulty { $0.idleTime = .milliseconds(100) }
            try decodeFault("none", try #require(sandbox))
            try await until { workerProcesses().count == 1 }
            try decodeFault("none", try #require(sandbox))
            #expect(sandbox?.statistics.startedWorkers == 2)
            sandbox = nil
            try await until { workerProcesses().isEmpty }
        }
    }
}
#endif
