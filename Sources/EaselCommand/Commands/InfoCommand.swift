import ArgumentParser
import EaselCore
import Foundation

struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Print the format, size, frames and orientation of images.",
        discussion: "Example: easel info --json *.png")

    @OptionGroup var input: InputOptions

    @Flag(help: "Decode every frame, to detect damaged image data.")
    var decode = false

    @Flag(help: "Accept truncated files.")
    var allowPartial = false

    @OptionGroup var loading: LoadingOptions

    func run() async throws { try await describe(input.readAll()) }

    @MainActor
    private func describe(_ inputs: [String]) async throws {
        let session = try await Session(loading)
        let inspection = Inspection(coders: session.coders, decodes: decode, allowsPartial: allowPartial)
        try await session.run(inputs) { (input) async throws(ImageError) in
            try await session.inspect(input, inspection)
        } deliver: { delivery in
            var record = delivery.value.record
            record.input = delivery.input
            session.count(delivery, source: record.source, timeline: delivery.value.timeline)
            session.console.writeResult(loading.json ? record.json.text : record.text)
        }
    }
}

/// A reader of the properties of a file, with optional decoding.
struct Inspection: Sendable {
    var coders: CoderRegistry
    var decodes: Bool
    var allowsPartial: Bool

    typealias Finding = (record: InfoRecord, timeline: LoadTimeline)

    /// Inspects a loaded file. Blocks.
    func inspect(_ loaded: LoadedData, _ request: ImageRequest, input: String) throws(ImageError) -> Finding {
        let decoder = try coders.decoder(for: loaded.data)
        let header = try decoder.header(of: loaded.data)
        try request.limits.check(header)
        let record = InfoRecord(input: input, header: header, byteCount: loaded.data.count, source: loaded.source)
        var finding: Finding = (record, loaded.timeline)
        guard decodes else { return finding }
        let started = ContinuousClock.now
        finding.record.isPartial = try isPartial(loaded.data, header, decoder, request.limits)
        finding.timeline[.decode] = .now - started
        return finding
    }

    /// Decodes all frames. Returns whether data is missing, if that is allowed.
    private func isPartial(
        _ data: Data, _ header: ImageHeader, _ decoder: any ImageDecoding, _ limits: ImageLimits
    ) throws(ImageError) -> Bool {
        var options = DecodeOptions(limits: limits, allowsPartial: allowsPartial, isCancelled: { Task.isCancelled })
        // In sequence, each frame is decoded once. A single frame also needs the frames that it is drawn on.
        let animation = try (decoder as? any AnimationDecoding)?.makeAnimationDecoder(data, options)
        var isPartial = false
        for frame in 0..<header.frameCount {
            options.frame = frame
            let image =
                if let animation {
                    try animation.frame(frame, isCancelled: options.isCancelled)
                } else {
                    try decoder.decode(data, options)
                }
            if image.metadata.isPartial { isPartial = true }
        }
        return isPartial
    }
}

extension Session {
    fileprivate func inspect(
        _ input: ImageInput, _ inspection: Inspection
    ) async throws(ImageError) -> Inspection.Finding {
        let request = request(for: input) {
            if inspection.allowsPartial { $0.options.insert(.allowPartial) }
        }
        return try await withProgress(of: input) { [manager] report throws(ImageError) in
            let loaded = try await manager.data(for: request, progress: report)
            return try await WorkerPool.pixels.run { () throws(ImageError) in
                try inspection.inspect(loaded, request, input: input.text)
            }
        }
    }
}
