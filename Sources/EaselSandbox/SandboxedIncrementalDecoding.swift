import EaselCore
import EaselFoundation

/// A sandboxed decoder that can show an image before its file is complete.
protocol SandboxedIncrementalDecoding: SandboxedDecoding, IncrementalDecoding {
    /// The decoder for this process.
    var incremental: any IncrementalDecoding { get }
}

extension SandboxedIncrementalDecoding {
    func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        SandboxedIncrementalDecoder(incremental, sandbox, options)
    }
}

struct SandboxedIncrementalStillDecoding: SandboxedIncrementalDecoding, MetadataReading {
    let incremental: any IncrementalDecoding
    let sandbox: Sandbox

    var decoder: any ImageDecoding { incremental }
}

struct SandboxedIncrementalAnimationDecoding: SandboxedIncrementalDecoding, SandboxedAnimating, MetadataReading {
    let animation: any AnimationDecoding
    let incremental: any IncrementalDecoding
    let sandbox: Sandbox

    var decoder: any ImageDecoding { animation }
}

/// An arriving file. A worker receives each part once, when a preview is requested.
///
/// The file stays here too, for another worker if the one that has its parts ends.
final class SandboxedIncrementalDecoder: IncrementalDecoder {
    private let decoding: any IncrementalDecoding
    private let sandbox: Sandbox
    private var job: SandboxJob
    /// The decoder in this process, if no worker can be started.
    private var unprotected: (any IncrementalDecoder)?
    private var wasSufficient = false

    init(_ decoding: any IncrementalDecoding, _ sandbox: Sandbox, _ options: DecodeOptions) {
        self.decoding = decoding
        self.sandbox = sandbox
        job = SandboxJob(
            format: decoding.format, data: Data(), options: options, session: sandbox.runner.newSession())
        // Decodes that are not incremental need permission to return a partial image.
        job.options.allowsPartial = true
    }

    /// Whether the last preview is final. Only known after it: to find out, a worker has to decode.
    var isSufficient: Bool { unprotected?.isSufficient ?? wasSufficient }

    func append(_ bytes: Data) throws(ImageError) {
        try job.options.checkCancellation()
        if let unprotected { return try unprotected.append(bytes) }
        job.data.append(bytes)
    }

    func preview() throws(ImageError) -> DecodedImage? {
        if let unprotected { return try unprotected.preview() }
        guard job.data.count > job.knownByteCount else { return nil }
        let preview = try sandbox.perform(job) { [job] (runner) throws(SandboxFailure) in
            try runner.preview(job)
        } inProcess: { () throws(ImageError) -> ImagePreview? in
            let decoder = decoding.makeIncrementalDecoder(job.options)
            unprotected = decoder
            try decoder.append(job.data)
            return try decoder.imagePreview()
        }
        job.knownByteCount = job.data.count
        if let preview { wasSufficient = preview.isSufficient }
        return preview?.image
    }
}
