#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Synchronization

/// The one decoder of an animation: made when a frame is wanted, used by one thread at a time, and given back when nobody
/// plays any more.
final class AnimationReader: Sendable {
    private struct Opened {
        var decoder: (any AnimationDecoder)?
    }

    private let data: Data
    private let coder: any AnimationDecoding
    private let options: DecodeOptions
    private let transforms: [ImageTransform]
    /// Held while decoding: it says whose the decoder is.
    private let opened = Mutex(Opened())

    init(_ data: Data, _ coder: any AnimationDecoding, _ options: DecodeOptions, _ transforms: [ImageTransform]) {
        self.data = data
        self.coder = coder
        self.options = options
        self.transforms = transforms
    }

    /// A frame; the one after the last costs least. Takes as long as a decode, and waits for whoever decodes: for the pixel
    /// threads.
    func frame(_ index: Int, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        try opened.withLock { (opened) throws(ImageError) in
            if isCancelled() { throw .cancelled }
            if let decoder = opened.decoder { return try decoder.frame(index, isCancelled: isCancelled) }
            let decoder = try coder.makeAnimationDecoder(data, options).applying(transforms)
            let frame = try decoder.frame(index, isCancelled: isCancelled)
            opened.decoder = decoder
            return frame
        }
    }

    /// Gives back what the decoder keeps between frames. The next frame makes a new one. Waits for whoever decodes.
    func close() {
        opened.withLock { $0.decoder = nil }
    }
}
