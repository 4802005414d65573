import EaselCodecs
public import EaselCore

/// A group of worker processes that decode images, so that no image can crash the application, hang it, or reach its
/// files.
///
/// A worker cannot open files, use the network or start processes: the kernel refuses, or ends the worker. A decode
/// that exceeds `ImageLimits.decodingTime` is stopped. The application receives only pixels, and checks every number.
///
/// Workers start when an image needs them, and end after 30 seconds without a job. They need no privileges. A sandbox
/// is available on Linux with the package trait `Sandbox`.
public final class Sandbox: Sendable {
    /// The policy if the kernel does not support all restrictions.
    public enum Policy: String, Sendable, Hashable, CaseIterable {
        /// Images are decoded only with all restrictions.
        case require
        /// Images are decoded with the restrictions that are supported, or in this process if no worker can be started.
        case prefer
    }

    /// The configuration of a sandbox.
    public struct Configuration: Sendable {
        /// The policy if the kernel does not support all restrictions. `prefer` by default.
        public var policy = Policy.prefer
        /// The maximum number of workers. By default the number of processors that this process may use.
        public var maximumWorkers = coreCount
        /// The maximum memory of a worker, without shared memory. By default 2 GB, or half of the memory that this
        /// process may use if that is less.
        public var memoryLimit = ByteCount(min(2 << 30, MemoryAllowance.ofProcess.byteCount / 2))
        /// The time after which an idle worker ends. 30 s by default.
        public var idleTime = Duration.seconds(30)
        /// The path of the worker program. By default `easel-decoder` in the folder of this program; if there is none,
        /// this program, provided that it calls `Sandbox.runWorkerIfRequested()`.
        public var program: String?
        /// Called once, with the status of the first worker.
        public var reportStatus: @Sendable (Status) -> Void = { _ in }

        /// Creates a configuration with the default values.
        public init() {}
    }

    /// Whether images are decoded in a sandbox.
    public enum Status: Sendable, Hashable {
        /// Workers decode images with these restrictions.
        case available(SandboxRestrictions)
        /// No worker can be started, for this reason.
        case unavailable(reason: String)

        /// Explains which restriction is missing, or why no worker can be started. `nil` if all restrictions are in
        /// force.
        public var shortcoming: String? {
            switch self {
            case .available(let restrictions): restrictions.shortcoming
            case .unavailable(let reason): reason
            }
        }
    }

    /// Counts of the workers and jobs of a sandbox.
    public typealias Statistics = SandboxStatistics

    let policy: Policy
    let runner: SandboxRunner

    /// Creates a sandbox. With the policy `require` it starts a worker to check the restrictions, and blocks meanwhile.
    ///
    /// - Parameter configure: Changes the default configuration.
    /// - Throws: `ImageError.unsupported` with the policy `require` if the kernel does not support all restrictions.
    public init(_ configure: (inout Configuration) -> Void = { _ in }) throws(ImageError) {
        var configuration = Configuration()
        configure(&configuration)
        policy = configuration.policy
        runner = SandboxRunner(configuration)
        guard policy == .require, let reason = status().shortcoming else { return }
        throw .unsupported("The sandbox is not available. \(reason)")
    }

    /// The formats that are isolated by default: those of large libraries and of libraries that cannot be interrupted.
    public static let defaultFormats: Set<ImageFormat> = [.heic, .avif, .jxl, .tiff, .svg, .webp]

    /// Returns whether images are decoded in a sandbox. The first call starts a worker to find out. Blocks.
    public func status() -> Status { runner.status() }

    /// The counts of workers and jobs so far.
    public var statistics: Statistics { runner.statistics }

    /// Turns this process into a worker if a sandbox started it as one, and then never returns. Otherwise does nothing.
    ///
    /// Call it as the first statement of `main`, before any thread exists, in a program that serves as its own worker.
    public static func runWorkerIfRequested() { runWorkerIfRequested(coders: { .standard() }) }
}

extension CoderRegistry {
    /// Moves the decoders of formats into a sandbox. Encoders, and decoders that are registered later, are not
    /// affected.
    ///
    /// - Parameters:
    ///   - formats: The formats; `nil` for all that have a decoder.
    ///   - sandbox: The sandbox for the decoders.
    public func isolate(_ formats: Set<ImageFormat>? = Sandbox.defaultFormats, in sandbox: Sandbox) {
        replaceDecoders { decoder in
            guard formats?.contains(decoder.format) ?? true, !(decoder is any SandboxedDecoding) else { return decoder }
            switch (decoder as? any AnimationDecoding, decoder as? any IncrementalDecoding) {
            case (let animation?, let incremental?):
                return SandboxedIncrementalAnimationDecoding(
                    animation: animation, incremental: incremental, sandbox: sandbox)
            case (let animation?, nil): return SandboxedAnimationDecoding(animation: animation, sandbox: sandbox)
            case (nil, let incremental?):
                return SandboxedIncrementalStillDecoding(incremental: incremental, sandbox: sandbox)
            case (nil, nil): return SandboxedStillDecoding(decoder: decoder, sandbox: sandbox)
            }
        }
    }
}
