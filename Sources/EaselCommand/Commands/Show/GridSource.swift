import EaselCore

/// A picture for a cell of a grid.
struct CellPicture: Sendable {
    /// As it was decoded.
    var image: DecodedImage
    /// As the terminal is sent it.
    var encoded: EncodedPicture
}

/// Where a grid's pictures come from.
struct GridSource: Sendable {
    /// How pictures are drawn.
    let mode: GraphicsMode
    /// The frame of an animation that is shown.
    var frame = 0
    /// Whether animations are played.
    var plays = false

    /// The request for a picture in a box of this size. It is kept in memory too: whoever scrolls comes back.
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

    /// The picture as it is drawn in a box of this size, to which it is scaled down where it is larger.
    ///
    /// - Parameter number: from 1; kitty terminals replace the picture with the same number. None in output that only goes on.
    func picture(_ image: DecodedImage, box: PixelSize, number: Int?) async throws(ImageError) -> CellPicture {
        try await WorkerPool.pixels.run { () throws(ImageError) in
            let image = image.size.fits(in: box) ? image : try image.applying([.resize(.pixels(box, mode: .aspectFit))])
            return CellPicture(image: image, encoded: EncodedPicture(image.pixels, mode, number: number))
        }
    }
}
