package import EaselCore
package import EaselFoundation

extension AnimationFrames {
    init(_ image: DecodedImage) {
        self.init(durations: [.zero], size: image.size, loopCount: 1, isOpaque: image.pixels.isOpaque) { _ in
            image.pixels
        }
    }

    /// Creates the frames of a file.
    ///
    /// - Parameter transform: changes each frame.
    /// - Throws: the errors of decoding the header and the first frame.
    package init(
        of data: Data, _ decoder: any ImageDecoding, _ options: DecodeOptions,
        transform: @escaping (DecodedImage) throws(ImageError) -> DecodedImage = { $0 }
    ) throws(ImageError) {
        let header = try decoder.header(of: data)
        let animation = try (decoder as? any AnimationDecoding)?.makeAnimationDecoder(data, options)
        let frame = { (index: Int) throws(ImageError) -> PixelBuffer in
            var options = options
            options.frame = index
            let image =
                if let animation {
                    try animation.frame(index, isCancelled: options.isCancelled)
                } else {
                    try decoder.decode(data, options)
                }
            return try transform(image).pixels
        }
        let durations = (0..<header.frameCount).map {
            header.frameDurations.indices.contains($0) ? header.frameDurations[$0] : .zero
        }
        self.init(
            durations: durations, size: try frame(0).size, loopCount: header.loopCount, isOpaque: !header.hasAlpha,
            frame: frame)
    }

    func resized(to size: PixelSize) -> AnimationFrames {
        if size == self.size { return self }
        return AnimationFrames(durations: durations, size: size, loopCount: loopCount, isOpaque: isOpaque) {
            (index) throws(ImageError) in try self.frame(index).resized(to: size)
        }
    }
}

extension EncodeOptions {
    func fitting(
        _ frames: AnimationFrames, isLossy: Bool,
        write: (AnimationFrames, EncodeOptions) throws(ImageError) -> Data
    ) throws(ImageError) -> Data {
        try fitting(frames.size, isLossy: isLossy) { (size, options) throws(ImageError) in
            try write(frames.resized(to: size), options)
        }
    }
}
