#if Sandbox
import CEaselSandbox
import EaselCore
import EaselTesting
import Foundation
import Glibc
import Synchronization
import Testing

@testable import EaselSandbox

extension ProcessTests {
    /// The worker is a thread of this process that can send any bytes.
    @Suite("answers of a hostile worker", .timeLimit(.minutes(1)))
    struct WorkerHandleTests {
        /// The worker's side of a connection.
        final class Peer: Sendable {
            let socket: Int32
            init(_ socket: Int32) { self.socket = socket }
            deinit { close(socket) }

            /// Returns the next job, with its file and memory.
            func receive() -> (job: WorkerJob, files: [Int32])? {
                var bytes = [UInt8](repeating: 0, count: WorkerJob.maximumByteCount)
                var files: [Int32] = [-1, -1]
                var count: Int32 = 0
                guard easel_sandbox_wait(socket, 10_000) > 0 else { return nil }
                let length = easel_sandbox_receive(socket, &bytes, bytes.count, &files, 2, &count, true)
                guard length > 0, let job = WorkerJob(message: Array(bytes.prefix(length))) else { return nil }
                return (job, Array(files.prefix(Int(count))))
            }

            @discardableResult
            func send(_ bytes: [UInt8]) -> Bool { easel_sandbox_send(socket, bytes, bytes.count, nil, 0, false) == 0 }
        }

        /// Runs a job with `answer` as the worker. Calls `didReturn` when the result arrives. Returns the result.
        private func run(
            resultLimit: Int = 64, within time: Duration = .seconds(10), didReturn: () -> Void = {},
            _ answer: @escaping @Sendable (Peer) -> Void
        ) throws -> [UInt8] {
            var (own, other): (Int32, Int32) = (-1, -1)
            try #require(easel_sandbox_sockets(&own, &other) == 0)
            let peer = Peer(other)
            let ended = DispatchSemaphore(value: 0)
            try #require(
                SystemThread.start("worker") {
                    answer(peer)
                    ended.signal()
                })
            let handle = WorkerHandle(number: 1, socket: own)
            // Closed last, so that the job never ends because the connection closes.
            defer { withExtendedLifetime(peer) { ended.wait() } }
            let file = try SharedMemory.file(Data([1, 2, 3]))
            let result = try handle.run(
                .header, format: "webp", resultLimit: resultLimit, deadline: .now + time, isCancelled: { false },
                file: file, completeFile: { () throws(SandboxFailure) in file },
                memory: { (_) throws(SandboxFailure) in 1 << 20 }
            ).result
            didReturn()
            return result
        }

        private func isViolation(_ answer: @escaping @Sendable (Peer) -> Void) -> Bool {
            do {
                _ = try run(answer)
                return false
            } catch SandboxFailure.violation {
                return true
            } catch {
                return false
            }
        }

        @Test("the result is the bytes that the worker wrote")
        func result() throws {
            let bytes = try run { peer in
                guard let (job, files) = peer.receive(), let start = easel_sandbox_map(files[1], 64, true) else {
                    return
                }
                start.storeBytes(of: 42, as: UInt8.self)
                peer.send(WorkerAnswer.done(job: job.number, resultByteCount: 1).message)
                munmap(start, 64)
                files.forEach { close($0) }
            }
            #expect(bytes == [42])
        }

        @Test("the file cannot be changed, and the memory has a fixed size")
        func seals() throws {
            let refusals = Mutex<[Int32]>([])
            _ = try run { peer in
                guard let (job, files) = peer.receive() else { return }
                for length in [0, 1 << 30] {
                    let result = ftruncate(files[1], off_t(length))
                    refusals.withLock { $0.append(result == 0 ? 0 : errno) }
                }
                var byte: UInt8 = 9
                let written = pwrite(files[0], &byte, 1, 0)
                refusals.withLock { $0.append(written == 1 ? 0 : errno) }
                let isMapped = easel_sandbox_map(files[0], 3, true) != nil
                refusals.withLock { $0.append(isMapped ? 0 : errno) }
                peer.send(WorkerAnswer.done(job: job.number, resultByteCount: 1).message)
                files.forEach { close($0) }
            }
            #expect(refusals.withLock { $0 } == [EPERM, EPERM, EPERM, EPERM])
        }

        @Test("writing to the memory after the answer changes nothing")
        func lateWrites() throws {
            let returned = DispatchSemaphore(value: 0)
            let bytes = try run(resultLimit: 4096, didReturn: { returned.signal() }) { peer in
                guard let (job, files) = peer.receive(), let start = easel_sandbox_map(files[1], 4096, true) else {
                    return
                }
                memset(start, 1, 4096)
                peer.send(WorkerAnswer.done(job: job.number, resultByteCount: 4096).message)
                returned.wait()
                memset(start, 2, 4096)
                munmap(start, 4096)
                files.forEach { close($0) }
            }
            // `run` returns after the worker, which wrote after the result was returned.
            #expect(bytes == [UInt8](repeating: 1, count: 4096))
        }

        @Test("a length beyond the limit is a violation")
        func length() {
            #expect(
                isViolation { peer in
                    guard let (job, _) = peer.receive() else { return }
                    peer.send(WorkerAnswer.done(job: job.number, resultByteCount: 65).message)
                })
        }

        @Test("a request for more memory than the image needs is a violation")
        func memory() {
            #expect(
                isViolation { peer in
                    guard let (job, _) = peer.receive() else { return }
                    peer.send(
                        WorkerAnswer.needsMemory(job: job.number, resultByteCount: 1, memoryByteCount: 1 << 40).message)
                })
        }

        @Test("an answer to another job, and invalid bytes, are violations")
        func garbage() {
            for bytes in [
                WorkerAnswer.done(job: 7, resultByteCount: 1).message, [], [1], [UInt8](repeating: 255, count: 32),
                [UInt8](repeating: 0, count: 10_000),
                WorkerAnswer.ready(version: 1, SandboxRestrictions(bits: 7, landlockVersion: 1)).message,
            ] {
                #expect(
                    isViolation { peer in
                        _ = peer.receive()
                        peer.send(bytes)
                    }, "\(bytes.count) bytes")
            }
        }

        @Test("a second request for the file is a violation")
        func files() {
            #expect(
                isViolation { peer in
                    guard let (job, _) = peer.receive() else { return }
                    peer.send(WorkerAnswer.needsFile(job: job.number).message)
                })
        }

        @Test("a worker that sends unexpected messages does not count as idle")
        func flood() throws {
            var (own, other): (Int32, Int32) = (-1, -1)
            try #require(easel_sandbox_sockets(&own, &other) == 0)
            let peer = Peer(other)
            let handle = WorkerHandle(number: 1, socket: own)
            #expect(handle.isQuiet)
            let sent = (0..<10_000).count { _ in peer.send(WorkerAnswer.needsFile(job: 1).message) }
            #expect(sent > 0 && sent < 10_000)
            #expect(!handle.isQuiet)
        }

        @Test("descriptors that a worker sends are not received")
        func descriptors() throws {
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            let (reading, writing) = (ends[0], ends[1])
            defer { close(reading) }
            #expect(
                isViolation { peer in
                    peer.receive()?.files.forEach { close($0) }
                    let message = [UInt8](repeating: 1, count: 32)
                    _ = easel_sandbox_send(peer.socket, message, message.count, [writing], 1, false)
                    close(writing)
                })
            // The last descriptor of the writing end was the worker's own.
            #expect(easel_sandbox_is_closed(reading))
        }

        @Test("a worker that never answers fails the job at the deadline")
        func silence() throws {
            do {
                _ = try run(within: .milliseconds(50)) { peer in
                    _ = peer.receive()
                    // Waits until the connection is closed.
                    _ = easel_sandbox_wait(peer.socket, 10_000)
                }
                Issue.record("The job has a result")
            } catch SandboxFailure.deadline {
            }
        }

        @Test("the end of a worker between two messages is reported with its status")
        func end() throws {
            do {
                _ = try run { peer in
                    guard let (job, _) = peer.receive() else { return }
                    peer.send(
                        WorkerAnswer.needsMemory(job: job.number, resultByteCount: 0, memoryByteCount: 1 << 20).message)
                    _ = peer.receive()
                    peer.send(WorkerAnswer.ended(status: 11).message)
                }
                Issue.record("The job has a result")
            } catch SandboxFailure.ended(let status) {
                #expect(status == 11)
            }
        }

        /// Runs `body` while this process can open no file.
        private func withoutDescriptors<Result>(_ body: () throws -> Result) rethrows -> Result {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var low = limit
            low.rlim_cur = 0
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &low)
            defer { setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
            return try body()
        }

        @Test("without free descriptors, shared memory and the zygote fail with an error")
        func noDescriptors() throws {
            withoutDescriptors {
                #expect(throws: SandboxFailure.self) { _ = try SharedMemory.forResults(64) }
                #expect(throws: SandboxFailure.self) { _ = try Zygote(program: "/bin/true") }
            }
        }

        @Test("without free descriptors, `prefer` does not decode in this process")
        func noDescriptorsForFile() throws {
            let sandbox = try Sandboxes.faulty { $0.policy = .prefer }
            try decodeFault("none", sandbox)
            let error = withoutDescriptors { #expect(throws: ImageError.self) { try decodeFault("none", sandbox) } }
            #expect(error?.message.contains("Shared memory cannot be created") == true)
            #expect(sandbox.statistics.unprotected == 0)
        }
    }
}
#endif
