#if Sandbox
import EaselCore
import EaselTesting
import Foundation
import Synchronization
import Testing

@testable import EaselSandbox

extension ProcessTests {
    @Suite("Sandbox: faults of decoders", .timeLimit(.minutes(2)))
    struct FaultTests {
        private let sandbox: Sandbox

        init() throws { sandbox = try Sandboxes.faulty { $0.memoryLimit = .megabytes(200) } }

        @Test(
            "a crash throws an error that names the signal, and the next image gets a new worker",
            arguments: [
                ("overflow", "SIGSEGV"), ("stack", "SIGSEGV"), ("abort", "SIGABRT"), ("socket", "SIGSYS"),
                ("fork", "SIGSYS"), ("exec", "SIGSYS"), ("kill-parent", "SIGSYS"), ("ptrace", "SIGSYS"),
                ("signal-other", "SIGSYS"), ("executable-memory", "SIGSYS"),
            ])
        func crash(_ fault: String, _ signal: String) throws {
            let error = #expect(throws: ImageError.self) { try decodeFault(fault, sandbox) }
            #expect(error?.code == .badData)
            #expect(error?.description.contains(signal) == true, "\(String(describing: error))")
            #expect(throws: Never.self) { try decodeFault("none", sandbox) }
            #expect(sandbox.statistics.crashes == 1)
            #expect(sandbox.statistics.crashesByCause == [signal: 1])
        }

        @Test("a division by zero in Swift counts as a crash")
        func division() throws {
            let error = #expect(throws: ImageError.self) { try decodeFault("divide", sandbox) }
            #expect(error?.description.contains("crashed (SIG") == true, "\(String(describing: error))")
            #expect(throws: Never.self) { try decodeFault("none", sandbox) }
        }

        @Test("a decoder in a worker cannot open a file")
        func file() throws {
            let error = #expect(throws: ImageError.self) { try decodeFault("open", sandbox) }
            #expect(error == .badData("The system refused open with 2."))
        }

        @Test("an allocation beyond the memory limit fails, and the worker continues")
        func memory() throws {
            let error = #expect(throws: ImageError.self) { try decodeFault("allocate", sandbox) }
            #expect(error == .badData("The system refused allocate with 12."))
        }

        @Test("a decode that does not end is stopped at the time limit, and others continue meanwhile")
        func loop() async throws {
            let options = DecodeOptions(limits: ImageLimits(decodingTime: .milliseconds(300)))
            let start = ContinuousClock.now
            let looping = Task.detached { [sandbox] () -> ImageError? in
                do throws(ImageError) {
                    try await WorkerPool.pixels.run { @Sendable () throws(ImageError) in
                        try decodeFault("loop", sandbox, options)
                    }
                    return nil
                } catch {
                    return error
                }
            }
            #expect(throws: Never.self) { try decodeFault("none", sandbox) }
            #expect(await looping.value == .tooLarge(.time(limit: .milliseconds(300))))
            #expect(start.duration(to: .now) >= .milliseconds(300))
            #expect(sandbox.statistics.timeouts == 1)
            #expect(throws: Never.self) { try decodeFault("none", sandbox) }
        }

        @Test("a cancelled decode returns immediately, and its worker ends")
        func cancellation() async throws {
            try decodeFault("none", sandbox)
            var options = DecodeOptions(limits: ImageLimits(decodingTime: .seconds(60)))
            options.isCancelled = { [start = ContinuousClock.now] in start.duration(to: .now) > .milliseconds(50) }
            #expect(throws: ImageError.cancelled) { try decodeFault("loop", sandbox, options) }
            #expect(sandbox.statistics.cancellations == 1)
        }

        @Test("up to nine crashes do not delay other images")
        func crashRate() throws {
            // A pause starts with the tenth crash.
            for _ in 0..<9 { #expect(throws: ImageError.self) { try decodeFault("overflow", sandbox) } }
            #expect(throws: Never.self) { try decodeFault("none", sandbox) }
            #expect(sandbox.statistics.crashes == 9)
            #expect(sandbox.statistics.startedWorkers == 10)
        }
    }

    @Suite("Sandbox: programs of workers")
    struct WorkerProgramTests {
        @Test(
            "if the worker program is missing or invalid, `require` throws and `prefer` decodes in this process",
            arguments: ["/nonexistent/easel-decoder", "/bin/true", "/etc/passwd"])
        func program(_ path: String) throws {
            let error = #expect(throws: ImageError.self) {
                try Sandbox {
                    $0.policy = .require
                    $0.program = path
                }
            }
            #expect(error?.code == .unsupported)
            #expect(error?.description.contains(path) == true, "\(String(describing: error))")
            let reports = Mutex<[Sandbox.Status]>([])
            let sandbox = try Sandbox {
                $0.program = path
                $0.reportStatus = { status in reports.withLock { $0.append(status) } }
            }
            for _ in 0..<2 {
                #expect(throws: ImageError.unsupported("Decoded in this process")) { try decodeFault("none", sandbox) }
            }
            #expect(sandbox.statistics.unprotected == 2)
            // The status is reported only once.
            #expect(reports.withLock { $0.count } == 1)
        }

        @Test("the restrictions are reported")
        func restrictions() throws {
            let sandbox = try Sandboxes.standard()
            guard case .available(let restrictions) = sandbox.status() else {
                Issue.record("There is no sandbox")
                return
            }
            #expect(restrictions.areComplete)
            #expect(restrictions.landlockVersion >= 1)
        }
    }
}
#endif
