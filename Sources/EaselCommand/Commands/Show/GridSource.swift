import EaselCore
import Synchronization

/// An image for a cell of a grid.
struct CellImage: Sendable {
    var image: DecodedImage
    /// The image as it is sent to the terminal.
    var encoded: EncodedImage
}

/// Creates the images of a grid.
struct GridSource: Sendable {
    let mode: GraphicsMode
    /// The frame of animations that is shown.
    var frame = 0
    var plays = false

    /// Returns the request for an image in a box of this size. The memory cache is used too, for scrolling back.
    @MainActor
    func request(for input: ImageInput, box: PixelSize, in session: Session) -> ImageRequest {
        var request = session.request(for: input) {
            $0.frame = frame
            $0.targetSize = .pixels(box, mode: .aspectFit)
            if !plays { $0.options.insert(.decodeFirstFrameOnly) }
        }
        request.cache.query.insert(.memory)
        request.cache.store.insert(.memory)
        return request
    }

    /// Returns the image as it is drawn in a box of this size, scaled down if it is larger.
    ///
    /// - Parameter number: The image number, from 1. A kitty terminal replaces the image with the same number. `nil` in
    ///   output that does not scroll back.
    func image(_ image: DecodedImage, box: PixelSize, number: Int?) async throws(ImageError) -> CellImage {
        try await WorkerPool.pixels.run { () throws(ImageError) in
            let image = image.size.fits(in: box) ? image : try image.applying([.resize(.pixels(box, mode: .aspectFit))])
            return CellImage(image: image, encoded: EncodedImage(image.pixels, mode, number: number))
        }
    }
}

/// A queue of events from any thread, for one reader that receives all pending events at once.
final class Mailbox<Event: Sendable>: Sendable {
    private let events = Mutex<[Event]>([])
    private let bell: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (bell, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds events in this order.
    func post(_ new: [Event]) {
        events.withLock { $0 += new }
        continuation.yield()
    }

    /// Returns the events since the last call, waiting for at least one. Returns none if the task is cancelled.
    func next() async -> [Event] {
        for await _ in bell {
            let taken = events.withLock { events in
                defer { events = [] }
                return events
            }
            if !taken.isEmpty { return taken }
        }
        return []
    }
}
