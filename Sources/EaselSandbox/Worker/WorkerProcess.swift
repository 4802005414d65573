#if Sandbox
import CEaselSandbox
import EaselCore
import EaselFoundation

/// The main loop of a worker. The process is restricted before the loop starts: it cannot open files, and runs no Swift
/// tasks.
struct WorkerProcess {
    private struct Session {
        var number: UInt64
        var decoder: any AnimationDecoder
    }

    /// A file that is arriving.
    private struct PartialFile {
        var number: UInt64
        var decoder: any IncrementalDecoder
        var byteCount = 0
    }

    private let socket: Int32
    private let coders: CoderRegistry
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// The open animations, the most recently used last.
    private var sessions: [Session] = []
    /// The arriving files, the most recently used last.
    private var partialFiles: [PartialFile] = []
    private var idleSeconds = 0
    /// The seconds between the checks of an idle worker for memory to release.
    static let idleInterval: Int32 = 2

    init(socket: Int32, coders: CoderRegistry) {
        self.socket = socket
        self.coders = coders
    }

    mutating func run(_ restrictions: SandboxRestrictions) -> Never {
        answer(.ready(version: protocolVersion, restrictions))
        while true {
            guard let (job, file) = receive() else { continue }
            idleSeconds = 0
            perform(job, file)
        }
    }

    // MARK: - Messages

    /// Receives a job. Returns `nil` after `idleInterval` without a job.
    private mutating func receive() -> (WorkerJob, file: Data?)? {
        var bytes = [UInt8](repeating: 0, count: WorkerJob.maximumByteCount)
        var files: [Int32] = [-1, -1]
        var fileCount: Int32 = 0
        let count = easel_sandbox_receive(socket, &bytes, bytes.count, &files, 2, &fileCount, true)
        if count < 0, errno == EAGAIN {
            releaseIdleMemory()
            return nil
        }
        guard count > 0, let job = WorkerJob(message: Array(bytes.prefix(count))) else { _exit(0) }
        var received = files.prefix(Int(fileCount))
        var file: Data?
        if let byteCount = job.fileByteCount, let descriptor = received.popFirst() {
            file = Self.data(descriptor, byteCount)
            close(descriptor)
        }
        if let byteCount = job.memoryByteCount, let descriptor = received.popFirst() {
            if let start = memory.baseAddress { munmap(start, memory.count) }
            memory = UnsafeMutableRawBufferPointer(
                start: easel_sandbox_map(descriptor, byteCount, true), count: byteCount)
            close(descriptor)
            if memory.baseAddress == nil { _exit(1) }
        }
        return (job, file)
    }

    /// Maps a file. The last reference to the bytes unmaps it.
    private static func data(_ file: Int32, _ byteCount: Int) -> Data {
        guard byteCount > 0, let start = easel_sandbox_map(file, byteCount, false) else { return Data() }
        return Data(bytesNoCopy: start, count: byteCount, deallocator: .custom { munmap($0, $1) })
    }

    private func answer(_ answer: WorkerAnswer) {
        let message = answer.message
        if easel_sandbox_send(socket, message, message.count, nil, 0, true) != 0 { _exit(0) }
    }

    private mutating func releaseIdleMemory() {
        idleSeconds += Int(Self.idleInterval)
        // Other memory is released after 2 seconds, open animations and arriving files after 12.
        if idleSeconds == 12 { (sessions, partialFiles) = ([], []) }
        guard idleSeconds == 2 || idleSeconds == 12 else { return }
        BlockPool.shared.drain()
        easel_sandbox_trim()
    }

    // MARK: - Jobs

    private mutating func perform(_ job: WorkerJob, _ file: Data?) {
        do throws(ImageError) {
            guard let decoder = coders.decoder(forFormatNamed: job.format) else {
                throw .unsupported("The worker has no decoder for \(job.format).")
            }
            switch job.operation {
            case .header: finish(job, header: try decoder.header(of: file ?? Data()))
            case .headerOfBeginning:
                let header = (decoder as? any AnimationDecoding)?.header(ofBeginning: file ?? Data())
                if let header { finish(job, header: header) } else { finish(job, []) }
            case .metadata:
                let metadata = try (decoder as? any MetadataReading)?.metadata(of: file ?? Data())
                finish(job, metadata?.workerResult ?? FileMetadata().workerResult)
            case .decode(let options): try deliver(decoder.decode(file ?? Data(), options), job)
            case .open(let session, let options):
                guard let decoder = try open(session, decoder, file, options) else {
                    return answer(.needsFile(job: job.number))
                }
                finish(job, header: decoder.header)
            case .frame(let session, let options):
                guard let decoder = try open(session, decoder, file, options) else {
                    return answer(.needsFile(job: job.number))
                }
                try deliver(decoder.frame(options.frame) { false }, job)
            case .preview(let session, let byteCount, let options):
                guard let partialFile = try receive(session, decoder, file, byteCount, options) else {
                    return answer(.needsFile(job: job.number))
                }
                guard let preview = try partialFile.imagePreview() else { return finish(job, []) }
                try deliver(preview.image, job, isSufficient: preview.isSufficient)
            // Memory arrives only while a result waits for it, in `deliver`.
            case .memory: break
            }
        } catch {
            let result = error.workerResult
            write(result)
            answer(.failed(job: job.number, resultByteCount: result.count))
        }
    }

    /// Returns the decoder of an animation, or `nil` if the animation is not open and there is no file.
    private mutating func open(
        _ number: UInt64, _ decoder: any ImageDecoding, _ file: Data?, _ options: DecodeOptions
    ) throws(ImageError) -> (any AnimationDecoder)? {
        if let index = sessions.firstIndex(where: { $0.number == number }) {
            let session = sessions.remove(at: index)
            sessions.append(session)
            return session.decoder
        }
        guard let file else { return nil }
        guard let decoder = decoder as? any AnimationDecoding else {
            throw .unsupported("\(decoder.format.name) files contain no animations.")
        }
        let opened = try decoder.makeAnimationDecoder(file, options)
        if sessions.count == Self.maximumSessions { sessions.removeFirst() }
        sessions.append(Session(number: number, decoder: opened))
        return opened
    }

    /// Passes a part of an arriving file to its decoder, and returns it. Returns `nil` if earlier parts are missing.
    private mutating func receive(
        _ number: UInt64, _ decoder: any ImageDecoding, _ part: Data?, _ byteCount: Int, _ options: DecodeOptions
    ) throws(ImageError) -> (any IncrementalDecoder)? {
        let index = partialFiles.firstIndex { $0.number == number }
        // Removed until the decoder has accepted the part: after an error it cannot be used.
        var partialFile = index.map { partialFiles.remove(at: $0) }
        let partCount = part?.count ?? 0
        if partCount == byteCount || partialFile == nil {
            guard partCount == byteCount, let decoder = decoder as? any IncrementalDecoding else { return nil }
            partialFile = PartialFile(number: number, decoder: decoder.makeIncrementalDecoder(options))
        }
        guard var partialFile, let part, partialFile.byteCount + partCount == byteCount else { return nil }
        try partialFile.decoder.append(part)
        partialFile.byteCount = byteCount
        if partialFiles.count == Self.maximumSessions { partialFiles.removeFirst() }
        partialFiles.append(partialFile)
        return partialFile.decoder
    }

    /// The maximum number of open animations, and of arriving files. Each uses the memory of a few frames.
    private static let maximumSessions = 8

    // MARK: - Results

    private func write(_ bytes: [UInt8]) {
        memory.copyBytes(from: bytes.prefix(memory.count))
    }

    private func finish(_ job: WorkerJob, _ result: [UInt8]) {
        guard result.count <= memory.count else {
            let error = ImageError.unsupported("The metadata of the image is too large.").workerResult
            write(error)
            return answer(.failed(job: job.number, resultByteCount: error.count))
        }
        write(result)
        answer(.done(job: job.number, resultByteCount: result.count))
    }

    private func finish(_ job: WorkerJob, header: ImageHeader) {
        var writer = ByteWriter()
        writer.write(header)
        finish(job, writer.bytes)
    }

    private mutating func deliver(
        _ image: DecodedImage, _ job: WorkerJob, isSufficient: Bool = false
    ) throws(ImageError) {
        var description = try WorkerImage(image)
        description.isSufficient = isSufficient
        let result = description.bytes
        let layout = try ResultLayout(
            resultByteCount: result.count, size: image.size, isDeep: image.deepPixels != nil,
            gainMap: image.gainMap?.pixels.size)
        guard result.count <= memory.count else { return finish(job, result) }
        write(result)
        if layout.byteCount > memory.count {
            answer(
                .needsMemory(job: job.number, resultByteCount: result.count, memoryByteCount: layout.byteCount))
            while true {
                guard let (next, _) = receive() else { continue }
                guard case .memory = next.operation, next.number == job.number, layout.byteCount <= memory.count else {
                    _exit(0)
                }
                break
            }
            write(result)
        }
        image.pixels.withUnsafeBytes { copy($0, layout.pixels) }
        image.deepPixels?.withUnsafeBytes { copy($0, layout.deepPixels) }
        image.gainMap?.pixels.withUnsafeBytes { copy($0, layout.gainMap) }
        answer(.done(job: job.number, resultByteCount: result.count))
    }

    private func copy(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        UnsafeMutableRawBufferPointer(rebasing: memory[range]).copyMemory(from: bytes)
    }
}
#endif
