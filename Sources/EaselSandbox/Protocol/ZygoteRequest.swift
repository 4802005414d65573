import EaselCore

/// A request to start a worker. The message contains the socket for the worker as a descriptor.
struct ZygoteRequest: Sendable, Hashable {
    var kind: WorkerKind
    var memoryLimit: Int

    static let byteCount = 16

    var message: [UInt8] {
        var writer = ByteWriter(capacity: Self.byteCount)
        writer.write(UInt64(kind.rawValue))
        writer.write(Int64(memoryLimit))
        return writer.bytes
    }

    init(kind: WorkerKind, memoryLimit: Int) {
        self.kind = kind
        self.memoryLimit = memoryLimit
    }

    /// Reads a request. Fails for any other bytes.
    init?(message: [UInt8]) {
        var reader = ByteReader(message)
        guard let kind = reader.read(UInt64.self).flatMap(UInt8.init(exactly:)).flatMap(WorkerKind.init),
            let limit = reader.read(Int64.self), reader.isAtEnd, limit > 0
        else { return nil }
        self.kind = kind
        memoryLimit = Int(limit)
    }
}

/// The environment variable that marks the process that starts workers.
let workerMarker = "EASEL_SANDBOX_WORKER"
