import EaselFoundation
import Synchronization

/// The image in an arriving file, as far as it can be decoded.
final class ArrivingImage: Sendable {
    private struct State {
        var decoder: (any IncrementalDecoder)?
        /// The number of bytes that the decoder has.
        var decodedCount = 0
        /// Whether there will be no preview: the format has none, or the file is damaged.
        var isOver = false
        /// The last preview of the first frame.
        var firstFrame: DecodedImage?
        var animation: ArrivingAnimation?
    }

    let file: ArrivingFile
    private let options: DecodeOptions
    private let coders: CoderRegistry
    private let isAnimated: Bool
    /// Held while decoding. Only one task decodes an image.
    private let state = Mutex(State())

    /// - Parameter isAnimated: Whether the frames after the first are needed.
    init(_ file: ArrivingFile, _ options: DecodeOptions, coders: CoderRegistry, isAnimated: Bool) {
        self.file = file
        self.options = options
        self.coders = coders
        self.isAnimated = isAnimated
    }

    /// Returns a preview if there is a new one, with the frames of an animation that have arrived. Blocks for as long as a decode.
    ///
    /// A damaged file is no error here: decoding the complete file reports it.
    func decodePreview(onlySufficient: Bool) -> ImagePreview? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            do throws(ImageError) {
                return try decodePreview(&state, onlySufficient)
            } catch {
                state = State(isOver: true)
                return nil
            }
        }
    }

    private func decodePreview(_ state: inout State, _ onlySufficient: Bool) throws(ImageError) -> ImagePreview? {
        let bytes = file.bytes(from: state.decodedCount)
        guard !bytes.isEmpty else { return nil }
        if state.decoder == nil {
            // Enough for the signature of every format.
            guard bytes.count >= 64 else { return nil }
            guard let coder = try coders.decoder(for: bytes) as? any IncrementalDecoding else {
                state.isOver = true
                return nil
            }
            state.decoder = coder.makeIncrementalDecoder(options)
            if isAnimated { state.animation = (coder as? any AnimationDecoding).map(ArrivingAnimation.init) }
        }
        state.decodedCount += bytes.count
        try state.decoder?.append(bytes)
        if onlySufficient, state.decoder?.isSufficient != true { return nil }
        let preview = try state.decoder?.preview()
        state.firstFrame = preview?.image ?? state.firstFrame
        guard var image = state.firstFrame, let animation = state.animation?.makeAnimation(of: file, options) else {
            return preview
        }
        image.animation = animation
        return ImagePreview(image: image)
    }
}

/// The complete frames of an arriving animation.
private struct ArrivingAnimation {
    private let coder: any AnimationDecoding
    private var frameCount = 1
    private var nextCount = 0

    init(_ coder: any AnimationDecoding) { self.coder = coder }

    /// Returns an animation of the frames that have arrived, if there are more than in the last one.
    ///
    /// Each copies the file. A quarter more of the file has to arrive between two, so that all copies together are a few times as
    /// large as the file.
    mutating func makeAnimation(of file: ArrivingFile, _ options: DecodeOptions) -> Animation? {
        guard file.count >= nextCount else { return nil }
        let data = file.bytes(from: 0)
        nextCount = data.count + data.count / 4
        guard let header = coder.header(ofBeginning: data), header.frameCount > frameCount,
            (try? options.limits.check(header)) != nil
        else { return nil }
        frameCount = header.frameCount
        return Animation(data: data, header: header, coder: coder, options: options, isArriving: true)
    }
}
