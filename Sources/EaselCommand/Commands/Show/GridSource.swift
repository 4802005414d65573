import EaselCore
import Synchronization

/// An image for a cell of a grid.
struct CellImage: Sendable {
    /// As it was decoded.
    var image: DecodedImage
    /// As the terminal is sent it.
    var encoded: EncodedImage
}

/// Where a grid's images come from.
struct GridSource: Sendable {
    /// How images are drawn.
    let mode: GraphicsMode
    /// The frame of an animation that is shown.
    var frame = 0
    /// Whether animations are played.
    var plays = false

    /// The request for an image in a box of this size. It is kept in memory too: whoever scrolls comes back.
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

    /// The image as it is drawn in a box of this size, to which it is scaled down where it is larger.
    ///
    /// - Parameter number: from 1; kitty terminals replace the image with the same number. None in output that only goes on.
    func image(_ image: DecodedImage, box: PixelSize, number: Int?) async throws(ImageError) -> CellImage {
        try await WorkerPool.pixels.run { () throws(ImageError) in
            let image = image.size.fits(in: box) ? image : try image.applying([.resize(.pixels(box, mode: .aspectFit))])
            return CellImage(image: image, encoded: EncodedImage(image.pixels, mode, number: number))
        }
    }
}

/// Events from any thread for one who waits for them, and gets all that have come at once.
final class Mailbox<Event: Sendable>: Sendable {
    private let events = Mutex<[Event]>([])
    private let bell: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (bell, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds events, in this order.
    func post(_ new: [Event]) {
        events.withLock { $0 += new }
        continuation.yield()
    }

    /// Those that have come since the last call, as soon as there are any; none where the task is cancelled.
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
