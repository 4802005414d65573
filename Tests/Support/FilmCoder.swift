package import EaselCore
package import EaselFoundation

/// A coder of animations in a test format: `FILM`, width, height, loop count, and one byte for each frame with its
/// duration in hundredths of a second. The pixels of frame `n` have the value `n` in every component.
package struct FilmCoder: AnimationDecoding, ImageEncoding {
    package let format = ImageFormat("film", signatures: [.text("FILM")])
    /// The frames decoded by animation decoders, in order.
    package let decoded = Recorder<Int>()
    /// One event for each animation decoder.
    package let creations = Recorder<Void>()
    /// Frames that fail to decode.
    package var damaged: Set<Int>
    /// Called before each frame of an animation decoder.
    package var beforeFrame: @Sendable (Int) -> Void

    package init(damaged: Set<Int> = [], beforeFrame: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.damaged = damaged
        self.beforeFrame = beforeFrame
    }

    package static func file(_ times: [UInt8], width: UInt8 = 8, height: UInt8 = 6, loops: UInt8 = 0) -> Data {
        Data("FILM".utf8) + [width, height, loops] + times
    }

    package var registry: CoderRegistry { CoderRegistry(decoders: [self]) }

    package func header(of data: Data) throws(ImageError) -> ImageHeader {
        guard data.count > 7 else { throw .badData("The film is damaged.") }
        return ImageHeader(
            format: format, storedSize: PixelSize(Int(data[4]), Int(data[5])), frameCount: data.count - 7,
            loopCount: Int(data[6]), frameDurations: data.dropFirst(7).map { .milliseconds(10 * Int($0)) })
    }

    package func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
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
    package func header(ofBeginning data: Data) -> ImageHeader? {
        guard let header = try? header(of: data), header.frameCount > 1 else { return nil }
        return header
    }

    /// Returns a film of one frame.
    package func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        Self.file([5], width: UInt8(image.size.width), height: UInt8(image.size.height))
    }

    package func makeAnimationDecoder(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> any AnimationDecoder
    {
        creations.record(())
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
