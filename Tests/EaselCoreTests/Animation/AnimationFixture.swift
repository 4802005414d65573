import EaselTesting
import FoundationEssentials
import Synchronization

@testable import EaselCore

/// A coder of animations in a test format: `FILM`, width, height, loop count, and one byte for each frame with its
/// duration in hundredths of a second. The pixels of frame `n` have the value `n` in every component.
struct FilmCoder: AnimationDecoding, ImageEncoding {
    let format = ImageFormat("film", signatures: [.text("FILM")])
    /// The frames decoded by animation decoders, in order.
    let decoded = Recorder<Int>()
    /// One event for each animation decoder.
    let made = Recorder<Void>()
    /// Frames that fail to decode.
    var damaged: Set<Int> = []
    /// Called before each frame of an animation decoder.
    var beforeFrame: @Sendable (Int) -> Void = { _ in }

    static func file(_ times: [UInt8], width: UInt8 = 8, height: UInt8 = 6, loops: UInt8 = 0) -> Data {
        Data("FILM".utf8) + [width, height, loops] + times
    }

    var registry: CoderRegistry { CoderRegistry(decoders: [self]) }

    func header(of data: Data) throws(ImageError) -> ImageHeader {
        guard data.count > 7 else { throw .badData("The film is damaged.") }
        return ImageHeader(
            format: format, storedSize: PixelSize(Int(data[4]), Int(data[5])), frameCount: data.count - 7,
            loopCount: Int(data[6]), frameDurations: data.dropFirst(7).map { .milliseconds(10 * Int($0)) })
    }

    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let header = try header(of: data)
        try options.limits.check(header)
        guard options.frame < header.frameCount else { throw .unsupported("There is no such frame.") }
        if damaged.contains(options.frame) { throw .badData("The frame is damaged.") }
        let size = options.targetSize.size(for: header.size)
        let pixels = try PixelBuffer(size: size, isOpaque: true) { bytes, _ in
            bytes.initializeMemory(as: UInt8.self, repeating: UInt8(options.frame))
        }
        return DecodedImage(
            pixels: pixels,
            metadata: ImageMetadata(header: header, frameIndex: options.frame, isThumbnail: size != header.size))
    }

    /// Returns the header of an incomplete file, in which every frame with a duration is decodable.
    func header(ofBeginning data: Data) -> ImageHeader? {
        guard let header = try? header(of: data), header.frameCount > 1 else { return nil }
        return header
    }

    /// Returns a film of one frame.
    func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        Self.file([5], width: UInt8(image.size.width), height: UInt8(image.size.height))
    }

    func makeAnimationDecoder(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> any AnimationDecoder {
        made.record(())
        return Decoder(header: try header(of: data), data: data, options: options, coder: self)
    }

    private final class Decoder: AnimationDecoder {
        let header: ImageHeader
        let data: Data
        let options: DecodeOptions
        let coder: FilmCoder

        init(header: ImageHeader, data: Data, options: DecodeOptions, coder: FilmCoder) {
            self.header = header
            self.data = data
            self.options = options
            self.coder = coder
        }

        func frame(_ index: Int, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
            coder.beforeFrame(index)
            if isCancelled() { throw .cancelled }
            var options = options
            options.frame = index
            let image = try coder.decode(data, options)
            coder.decoded.record(index)
            return image
        }
    }
}

/// A clock that only a test advances.
@MainActor
final class ManualAnimationClock: AnimationClock {
    private(set) var now = Duration.zero
    private var timers: [Int: (due: Duration, body: @MainActor () -> Void)] = [:]
    private var number = 0
    /// The number of timers set so far.
    private(set) var scheduleCount = 0

    /// The due times of the running timers, in milliseconds.
    var dues: [Int] { timers.values.map { Int(($0.due / .milliseconds(1)).rounded()) }.sorted() }

    func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) -> @MainActor () -> Void {
        number += 1
        scheduleCount += 1
        timers[number] = (now + delay, body)
        return { [weak self, number] in self?.timers[number] = nil }
    }

    /// Advances to a time and fires the timers that are due.
    func run(to milliseconds: Int) {
        let end = Duration.milliseconds(milliseconds)
        while let next = timers.min(by: { $0.value.due < $1.value.due }), next.value.due <= end {
            now = max(now, next.value.due)
            timers[next.key] = nil
            next.value.body()
        }
        now = end
    }
}

extension AnimationTicker {
    /// Returns a ticker with the resolution of its clock.
    static func exact(_ clock: ManualAnimationClock) -> AnimationTicker {
        AnimationTicker(clock, interval: .zero)
    }
}
