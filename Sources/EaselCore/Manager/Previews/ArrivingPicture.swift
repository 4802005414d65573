import EaselFoundation
import Synchronization

/// The picture in one arriving file, as far as it can be shown.
final class ArrivingPicture: Sendable {
    private struct Reading {
        var decoder: (any IncrementalDecoder)?
        /// Bytes that the decoder has taken.
        var taken = 0
        /// Whether nothing will ever be shown of it: the format cannot, or the file is damaged.
        var isOver = false
        /// The first frame, as it was shown last, and what more frames of the file there are.
        var shown: DecodedImage?
        var frames = ArrivingFrames()
    }

    let file: ArrivingFile
    private let options: DecodeOptions
    private let coders: CoderRegistry
    private let isAnimated: Bool
    /// Held while decoding: it says whose the decoder is, and nobody else wants it.
    private let reading = Mutex(Reading())

    /// - Parameter isAnimated: whether more frames than the first are to be shown.
    init(_ file: ArrivingFile, _ options: DecodeOptions, coders: CoderRegistry, isAnimated: Bool) {
        self.file = file
        self.options = options
        self.coders = coders
        self.isAnimated = isAnimated
    }

    /// What there is to show now, with the frames of an animation that have come; `nil` for nothing new, and where only one
    /// that is good enough is wanted, for any other. What cannot be shown yet is no error, and what cannot be at all is the
    /// decode's of the whole to tell (B93).
    ///
    /// Takes as long as a decode: for the pixel threads.
    func preview(onlySufficient: Bool) -> ImagePreview? {
        reading.withLock { reading in
            guard !reading.isOver else { return nil }
            do throws(ImageError) {
                return try preview(&reading, onlySufficient)
            } catch {
                reading = Reading(isOver: true)
                return nil
            }
        }
    }

    private func preview(_ reading: inout Reading, _ onlySufficient: Bool) throws(ImageError) -> ImagePreview? {
        let news = file.bytes(from: reading.taken)
        guard !news.isEmpty else { return nil }
        if reading.decoder == nil {
            // Enough for every format's signature.
            guard news.count >= 64 else { return nil }
            guard let coder = try coders.decoder(for: news) as? any IncrementalDecoding else {
                reading.isOver = true
                return nil
            }
            reading.decoder = coder.makeIncrementalDecoder(options)
            if isAnimated { reading.frames.coder = coder as? any AnimationDecoding }
        }
        reading.taken += news.count
        try reading.decoder?.append(news)
        if onlySufficient, reading.decoder?.isSufficient != true { return nil }
        let preview = try reading.decoder?.preview()
        reading.shown = preview?.image ?? reading.shown
        guard var image = reading.shown, let animation = reading.frames.animation(of: file, options) else {
            return preview
        }
        image.animation = animation
        return ImagePreview(image: image)
    }
}
