#if SVG
import EaselCore
import Synchronization

/// The pictures of pixels in a document, and the first that would bring them over the limit.
final class SVGRefusal: Sendable {
    /// The most pixels that they may have together.
    let limit: Int
    private let refused = Mutex<PixelSize?>(nil)

    init(limit: Int) {
        self.limit = limit
    }

    /// What to throw where there is such a picture. The thread that waits for the drawing knows it as soon as the one that
    /// draws: what is left to do there is to inflate pixels that nobody will see.
    var error: ImageError? {
        refused.withLock { $0 }.map { .tooLarge(.pixels($0, limit: limit)) }
    }

    /// Takes note of a picture that is not drawn.
    func refuse(_ size: PixelSize) {
        refused.withLock { refused in
            if refused == nil { refused = size }
        }
    }

    /// Refuses a document whose PNGs announce too many pixels before anything is inflated: of other formats the library stops
    /// where it is told to, of PNG it inflates all that was refused. Spelled in ways that this does not see, one is refused
    /// when its turn to be drawn comes.
    ///
    /// - Throws: `ImageError.tooLarge`.
    func checkPictures(in document: Span<UInt8>) throws(ImageError) {
        // One byte inflates to 1,032, and a pixel may be a bit: a shorter document holds nothing worth to look for.
        guard document.count > limit / (1_032 * 8) else { return }
        var scan = SVGPictureScan()
        var left = limit
        while let size = scan.next(in: document) {
            let (area, overflow) = size.width.multipliedReportingOverflow(by: size.height)
            guard !overflow, area <= left else { throw .tooLarge(.pixels(size, limit: limit)) }
            left -= area
        }
    }
}
#endif
