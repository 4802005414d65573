import EaselFoundation
import Synchronization

/// The one decoder of an animation: made when a frame is needed, used by one thread at a time, and given back when nothing plays
/// any more.
final class AnimationReader: Sendable {
    /// A decoder, with what keeps threads from using it together.
    private final class Session: Sendable {
        /// Held while decoding.
        let decoder = Mutex<(any AnimationDecoder)?>(nil)
    }

    private let data: Data
    private let coder: any AnimationDecoding
    private let options: DecodeOptions
    private let transforms: [ImageTransform]
    private let session = Mutex(Session())

    init(_ data: Data, _ coder: any AnimationDecoding, _ options: DecodeOptions, _ transforms: [ImageTransform]) {
        self.data = data
        self.coder = coder
        self.options = options
        self.transforms = transforms
    }

    /// A frame; the one after the last costs least. Takes as long as a decode, and waits for the decodes of other threads: for
    /// the pixel threads.
    func frame(_ index: Int, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        let session = session.withLock { $0 }
        return try session.decoder.withLock { (opened) throws(ImageError) in
            if isCancelled() { throw .cancelled }
            if let decoder = opened { return try decoder.frame(index, isCancelled: isCancelled) }
            let decoder = try coder.makeAnimationDecoder(data, options).applying(transforms)
            let frame = try decoder.frame(index, isCancelled: isCancelled)
            opened = decoder
            return frame
        }
    }

    /// Gives back what the decoder keeps between frames, or does so as soon as the decodes that run are over. The next frame makes
    /// a new decoder.
    func close() {
        let closed = session.withLock { session in
            defer { session = Session() }
            return session
        }
        // Outside the lock: a decoder may have much to give back.
        withExtendedLifetime(closed) {}
    }
}
