#if Sandbox
import CEaselSandbox
import EaselCore
import EaselFoundation
import Synchronization

/// The connection to a worker, used by one thread at a time. The worker is killed when the handle is released.
final class WorkerHandle: Sendable {
    let number: Int
    private let socket: Int32
    private let memory = Mutex<SharedMemory?>(nil)
    private let jobs = Atomic<UInt64>(0)

    init(number: Int, socket: Int32) {
        self.number = number
        self.socket = socket
    }

    /// Closing the connection makes the zygote kill the worker.
    deinit { close(socket) }

    /// Whether no message has arrived. An idle worker sends none.
    var isQuiet: Bool { easel_sandbox_wait(socket, 0) == 0 }

    /// Whether the worker has so much shared memory that it should not stay idle.
    var isLarge: Bool { memory.withLock { $0?.byteCount ?? 0 } > 64 << 20 }

    /// Runs a job. Returns its result without pixels, and the memory that contains the pixels.
    ///
    /// - Parameters:
    ///   - resultLimit: The maximum length of the result in bytes.
    ///   - file: The part of the file to send with the job; `nil` if the worker may have all of it.
    ///   - completeFile: Returns the file if the worker requests it. Called once at most, and not if it is sent first.
    ///   - memory: Checks a result and returns the number of bytes that it needs with its pixels.
    func run(
        _ operation: WorkerJob.Operation, format: String, resultLimit: Int, deadline: ContinuousClock.Instant,
        isCancelled: () -> Bool, file: WorkerFile?, completeFile: () throws(SandboxFailure) -> WorkerFile,
        memory requiredMemory: ([UInt8]) throws(SandboxFailure) -> Int
    ) throws(SandboxFailure) -> (result: [UInt8], memory: SharedMemory) {
        let number = jobs.add(1, ordering: .relaxed).newValue
        var job = WorkerJob(number: number, format: format, operation: operation)
        var (memory, isNew) = try memory(atLeast: resultLimit)
        var hasSentFile = file?.isComplete ?? false
        try send(&job, file: file, memory: isNew ? memory : nil)
        while true {
            switch try receive(until: deadline, isCancelled) {
            case .done(number, let count) where count <= resultLimit:
                return (memory.copyBytes(count), memory)
            case .failed(number, let count) where count <= resultLimit:
                guard let error = ImageError(workerResult: memory.copyBytes(count)) else { throw .violation }
                throw .image(error)
            case .needsFile(number) where !hasSentFile:
                hasSentFile = true
                try send(&job, file: try completeFile(), memory: nil)
            case .needsMemory(number, let count, let needed) where count <= resultLimit && needed > memory.byteCount:
                guard try requiredMemory(memory.copyBytes(count)) == needed else { throw .violation }
                // A reserve for the next image, which may be a little larger.
                (memory, isNew) = try self.memory(atLeast: needed + needed / 4)
                job.operation = .memory
                try send(&job, file: nil, memory: memory)
            case .ended(let status): throw .ended(status: status)
            default: throw .violation
            }
        }
    }

    /// Waits for the first message of a new worker.
    func receiveReady(until deadline: ContinuousClock.Instant) throws(SandboxFailure) -> SandboxRestrictions {
        switch try receive(until: deadline, { false }) {
        case .ready(protocolVersion, let restrictions): return restrictions
        case .ready(let version, _):
            throw .unavailable("The worker program has version \(version) instead of \(protocolVersion).")
        case .notStarted(let code):
            throw .unavailable("A worker process cannot be started: \(SharedMemory.reason(code)).")
        case .ended(let status):
            throw .unavailable("A worker ended during its start (status \(status)).")
        default: throw .unavailable("A worker sent an invalid message.")
        }
    }

    private func memory(atLeast count: Int) throws(SandboxFailure) -> (SharedMemory, isNew: Bool) {
        if let memory = memory.withLock({ $0 }), memory.byteCount >= count { return (memory, false) }
        let new = try SharedMemory.forResults((count + 0xFFFF) & ~0xFFFF)
        memory.withLock { $0 = new }
        return (new, true)
    }

    private func send(
        _ job: inout WorkerJob, file: WorkerFile?, memory: SharedMemory?
    ) throws(SandboxFailure) {
        job.fileByteCount = file?.byteCount
        job.memoryByteCount = memory?.byteCount
        let message = job.message
        let files = [file?.memory.file, memory?.file].compactMap(\.self)
        let result = easel_sandbox_send(socket, message, message.count, files, Int32(files.count), false)
        withExtendedLifetime((file, memory)) {}
        guard result != 0 else { return }
        // `receive` reports the end of a worker.
        if errno == EPIPE || errno == ECONNRESET { return }
        // The socket is full: the worker does not read its messages.
        if errno == EAGAIN { throw .violation }
        throw .system("A message cannot be sent", errno)
    }

    private func receive(
        until deadline: ContinuousClock.Instant, _ isCancelled: () -> Bool
    ) throws(SandboxFailure) -> WorkerAnswer {
        var bytes = [UInt8](repeating: 0, count: WorkerAnswer.byteCount)
        while true {
            let ready = easel_sandbox_wait(socket, 5)
            if ready > 0 { break }
            guard ready == 0 else { throw .system("Waiting failed", errno) }
            if isCancelled() { throw .cancelled }
            if deadline < .now { throw .deadline }
        }
        let count = easel_sandbox_receive(socket, &bytes, bytes.count, nil, 0, nil, false)
        // The worker and the zygote hold the other socket. The connection closes when both have ended; otherwise an
        // empty message was sent.
        if count == 0 || (count < 0 && errno == ECONNRESET) {
            throw easel_sandbox_is_closed(socket) ? .ended(status: nil) : .violation
        }
        guard count == bytes.count, let answer = WorkerAnswer(message: bytes) else { throw .violation }
        return answer
    }
}
#endif
