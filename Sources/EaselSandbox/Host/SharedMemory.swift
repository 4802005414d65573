#if Sandbox
import CEaselSandbox
import EaselFoundation

/// A file for a worker, in memory that no process can change.
struct WorkerFile: Sendable {
    var memory: SharedMemory
    var byteCount: Int
    /// Whether this is all of the file, instead of its last part.
    var isComplete: Bool
}

/// Shared memory with a fixed size, which both processes can map.
final class SharedMemory: Sendable {
    let file: Int32
    let byteCount: Int
    /// The address in this process; 0 if it is not mapped.
    private let address: UInt

    private init(file: Int32, byteCount: Int, address: UInt) {
        self.file = file
        self.byteCount = byteCount
        self.address = address
    }

    deinit {
        if let start = UnsafeMutableRawPointer(bitPattern: address) { munmap(start, byteCount) }
        close(file)
    }

    /// Creates memory for results, which the worker writes and this process reads.
    static func forResults(_ byteCount: Int) throws(SandboxFailure) -> SharedMemory {
        let file = easel_sandbox_memory(byteCount)
        guard file >= 0 else { throw .system("Shared memory cannot be created", errno) }
        guard let start = easel_sandbox_map(file, byteCount, false) else {
            let code = errno
            close(file)
            throw .system("Shared memory cannot be mapped", code)
        }
        return SharedMemory(file: file, byteCount: byteCount, address: UInt(bitPattern: start))
    }

    /// Copies a file to memory that no process can change.
    static func copy(of data: Data) throws(SandboxFailure) -> SharedMemory {
        let byteCount = max(1, data.count)
        let file = easel_sandbox_memory(byteCount)
        guard file >= 0 else { throw .system("Shared memory cannot be created", errno) }
        let memory = SharedMemory(file: file, byteCount: byteCount, address: 0)
        var written = 0
        data.withUnsafeBytes { bytes in
            while written < bytes.count {
                let count = pwrite(file, bytes.baseAddress.map { $0 + written }, bytes.count - written, off_t(written))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                written += count
            }
        }
        guard written == data.count, easel_sandbox_seal(file) == 0 else {
            throw .system("Shared memory cannot be written", errno)
        }
        return memory
    }

    /// The whole file of a job, or the last part of one that is arriving.
    static func file(_ data: Data, from start: Int = 0) throws(SandboxFailure) -> WorkerFile {
        let part = data.dropFirst(start)
        return WorkerFile(memory: try copy(of: part), byteCount: part.count, isComplete: part.count == data.count)
    }

    /// Copies bytes. The worker can change the memory at any time, so bytes are copied first and then checked.
    func copyBytes(_ range: Range<Int>, to target: UnsafeMutableRawBufferPointer) {
        precondition(range.lowerBound >= 0 && range.upperBound <= byteCount && target.count >= range.count)
        guard let start = UnsafeRawPointer(bitPattern: address), let target = target.baseAddress else { return }
        memcpy(target, start + range.lowerBound, range.count)
    }

    func copyBytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            copyBytes(0..<count, to: UnsafeMutableRawBufferPointer(buffer))
            initialized = count
        }
    }

    static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
#endif
