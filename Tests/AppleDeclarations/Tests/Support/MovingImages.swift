import EaselApple
import EaselCore
import EaselViews
import Foundation

/// A coder for animations: each byte of the file is a frame of that value, shown for 100 ms.
struct MovingCoder: AnimationDecoding {
    static let movingFormat = ImageFormat("moving", signatures: [.text("MOVING")])

    var format: ImageFormat { Self.movingFormat }

    func header(of data: Data) throws(ImageError) -> ImageHeader {
        let count = data.count - 6
        return ImageHeader(
            format: format, storedSize: PixelSize(8, 6), frameCount: count, loopCount: 1,
            frameDurations: Array(repeating: .milliseconds(100), count: count))
    }

    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let image = try DecodedImage.solid(data[data.startIndex + 6 + options.frame])
        return DecodedImage(pixels: image.pixels, metadata: ImageMetadata(header: try header(of: data)))
    }

    func makeAnimationDecoder(
        _ data: Data, _ options: DecodeOptions
    ) throws(ImageError) -> any AnimationDecoder {
        Frames(header: try header(of: data), coder: self, data: data)
    }

    private final class Frames: AnimationDecoder {
        let header: ImageHeader
        private let coder: MovingCoder
        private let data: Data

        init(header: ImageHeader, coder: MovingCoder, data: Data) {
            self.header = header
            self.coder = coder
            self.data = data
        }

        func frame(_ index: Int, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
            try coder.decode(data, DecodeOptions(frame: index))
        }
    }
}

extension DecodedImage {
    /// Returns an animation with frames of these values, and the first as its still image.
    static func moving(_ values: UInt8...) throws(ImageError) -> DecodedImage {
        let data = Data("MOVING".utf8) + values
        var image = try DecodedImage.solid(values[0])
        image.animation = try Animation(data: data, coders: CoderRegistry(decoders: [MovingCoder()]))
        return image
    }
}

/// A clock for animations that a test advances.
@MainActor
final class TestAnimationClock: AnimationClock {
    private(set) var now = Duration.zero
    private var waiting: [Int: (due: Duration, body: @MainActor () -> Void)] = [:]
    private var lastNumber = 0

    /// Whether any timer is pending.
    var isAwaited: Bool { !waiting.isEmpty }

    func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) -> @MainActor () -> Void {
        lastNumber += 1
        let number = lastNumber
        waiting[number] = (now + delay, body)
        return { [weak self] in self?.waiting[number] = nil }
    }

    func advance(by duration: Duration) {
        now += duration
        for (number, waiter) in waiting.sorted(by: { $0.key < $1.key }) where waiter.due <= now {
            waiting[number] = nil
            waiter.body()
        }
    }
}
