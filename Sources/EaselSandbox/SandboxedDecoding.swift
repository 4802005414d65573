import EaselCore
import EaselFoundation
import Synchronization

/// A decoder that runs in a worker.
protocol SandboxedDecoding: ImageDecoding {
    /// The decoder for this process. The worker has the same decoder.
    var decoder: any ImageDecoding { get }
    var sandbox: Sandbox { get }
}

extension SandboxedDecoding {
    var format: ImageFormat { decoder.format }

    func header(of data: Data) throws(ImageError) -> ImageHeader {
        let job = SandboxJob(format: format, data: data)
        return try sandbox.perform(job) { (runner) throws(SandboxFailure) in
            try runner.header(job, .header)
        } inProcess: { () throws(ImageError) in
            try decoder.header(of: data)
        }
    }

    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let job = SandboxJob(format: format, data: data, options: options)
        return try sandbox.perform(job) { (runner) throws(SandboxFailure) in
            try runner.image(job, .decode(options))
        } inProcess: { () throws(ImageError) in
            try decoder.decode(data, options)
        }
    }

    func metadata(of data: Data) throws(ImageError) -> FileMetadata {
        let job = SandboxJob(format: format, data: data)
        return try sandbox.perform(job) { (runner) throws(SandboxFailure) in
            try runner.metadata(job)
        } inProcess: { () throws(ImageError) in
            try (decoder as? any MetadataReading)?.metadata(of: data) ?? FileMetadata()
        }
    }
}

/// A sandboxed decoder of a format without animations.
struct SandboxedStillDecoding: SandboxedDecoding, MetadataReading {
    let decoder: any ImageDecoding
    let sandbox: Sandbox
}

/// A sandboxed decoder of a format with animations.
protocol SandboxedAnimating: SandboxedDecoding, AnimationDecoding {
    /// The decoder for this process.
    var animation: any AnimationDecoding { get }
}

struct SandboxedAnimationDecoding: SandboxedAnimating, MetadataReading {
    let animation: any AnimationDecoding
    let sandbox: Sandbox
}

extension SandboxedAnimating {
    var decoder: any ImageDecoding { animation }

    func header(ofBeginning data: Data) -> ImageHeader? {
        let job = SandboxJob(format: format, data: data)
        return try? sandbox.perform(job) { (runner) throws(SandboxFailure) in
            try runner.header(job, .headerOfBeginning)
        } inProcess: { () throws(ImageError) -> ImageHeader in
            guard let header = animation.header(ofBeginning: data) else {
                throw .badData("The file has no complete frame.")
            }
            return header
        }
    }

    func makeAnimationDecoder(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> any AnimationDecoder {
        let job = SandboxJob(format: format, data: data, options: options, session: sandbox.runner.newSession())
        return try sandbox.perform(job) { (runner) throws(SandboxFailure) in
            let header = try runner.header(job, .open(session: job.session?.number ?? 0, options))
            return SandboxedAnimation(job: job, header: header, decoder: animation, sandbox: sandbox)
        } inProcess: { () throws(ImageError) -> any AnimationDecoder in
            try animation.makeAnimationDecoder(data, options)
        }
    }
}

/// The frames of an animation that a worker keeps open.
final class SandboxedAnimation: AnimationDecoder {
    let header: ImageHeader
    private let job: SandboxJob
    private let decoder: any AnimationDecoding
    private let sandbox: Sandbox

    init(job: SandboxJob, header: ImageHeader, decoder: any AnimationDecoding, sandbox: Sandbox) {
        self.job = job
        self.header = header
        self.decoder = decoder
        self.sandbox = sandbox
    }

    func frame(_ index: Int, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        try withoutActuallyEscaping(isCancelled) { (isCancelled) throws(ImageError) in
            var job = job
            job.options.frame = index
            job.options.isCancelled = isCancelled
            let operation = WorkerJob.Operation.frame(session: job.session?.number ?? 0, job.options)
            return try sandbox.perform(job) { [job] (runner) throws(SandboxFailure) in
                try runner.image(job, operation)
            } inProcess: { () throws(ImageError) in
                // No worker can be started any more, for example because the system ran out of processes.
                try decoder.decode(job.data, job.options)
            }
        }
    }
}

/// A file to decode, with options.
struct SandboxJob: Sendable {
    var format: ImageFormat
    var data: Data
    var options = DecodeOptions()
    var session: SandboxSession?
    /// The number of bytes that the session has already. The rest is sent with the job.
    var knownByteCount = 0
}

/// An animation, or an arriving file, that a worker may have open.
final class SandboxSession: Sendable {
    let number: UInt64
    /// The number of the worker that has it open.
    let worker = Mutex<Int?>(nil)

    init(number: UInt64) { self.number = number }
}

extension Sandbox {
    /// Runs a job in a worker. Runs it in this process if no worker can be started and the policy allows that.
    func perform<Value>(
        _ job: SandboxJob, inWorker: (SandboxRunner) throws(SandboxFailure) -> Value,
        inProcess: () throws(ImageError) -> Value
    ) throws(ImageError) -> Value {
        do throws(SandboxFailure) {
            if job.options.isCancelled() { throw .cancelled }
            return try inWorker(runner)
        } catch {
            guard case .unavailable = error, policy == .prefer else {
                throw error.error(of: job.format, limit: job.options.limits.decodingTime)
            }
            runner.countUnprotected()
            return try inProcess()
        }
    }
}
