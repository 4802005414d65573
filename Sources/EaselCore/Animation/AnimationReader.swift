import EaselFoundation
import Synchronization

/// The decoder of an animation: created when a frame is needed, and released when nothing plays.
package final class AnimationReader: Sendable {
    private final class Session: Sendable {
        /// Locked while decoding.
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

    /// Returns a frame. Blocks until the decodes of other threads end, so call it on a pixel thread.
    package func frame(_ index: Int, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        let session = session.withLock { $0 }
        return try session.decoder.withLock { (opened) throws(ImageError) in
            if isCancelled() { throw .cancelled }
            let decoder = if let opened { opened } else { try coder.makeAnimationDecoder(data, options) }
            let frame = try decoder.frame(index, isCancelled: isCancelled)
            opened = decoder
            return try frame.applying(transforms, isCancelled: isCancelled)
        }
    }

    /// Releases the decoder, at the latest when running decodes end. The next frame creates another one.
    package func close() {
        // Deallocated outside the lock.
        _ = session.withLock { exchange(&$0, with: Session()) }
    }
}

/// The readers that were used most recently without a player. Each retains a few canvases, so the least recent are
/// closed.
final class RecentReaders: Sendable {
    static let shared = RecentReaders()

    private let recent = Mutex<[@Sendable () -> AnimationReader?]>([])

    func use(_ reader: AnimationReader) {
        let closed = recent.withLock { recent in
            recent.removeAll { $0() == nil || $0() === reader }
            recent.append { [weak reader] in reader }
            return recent.count > 4 ? recent.removeFirst()() : nil
        }
        guard let closed else { return }
        Task(executorPreference: WorkerPool.pixels) { closed.close() }
    }
}
