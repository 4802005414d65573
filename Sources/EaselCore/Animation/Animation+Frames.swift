import Synchronization

/// Frames without a player.
extension Animation {
    /// The frame with this number, counted from 0, as it is shown: composited, upright, transformed. Decoded on Easel's pixel
    /// threads.
    ///
    /// The frame after the last one that was asked for costs one frame's work, any other that of the frames since the nearest
    /// one from which compositing can start. What is kept for that is kept for the few animations that were asked last. It has
    /// deep pixels where the animation's options ask for them; players show 8 bits.
    ///
    /// - Throws: `ImageError.unsupported` for a number that is not there, `.badData` for a damaged frame, `.cancelled`.
    public func frame(at index: Int) async throws(ImageError) -> DecodedImage {
        if deepReader == nil, let pixels = keptFrames[index] { return image(pixels, index) }
        let reader = deepReader ?? reader
        RecentReaders.shared.use(reader)
        return try await WorkerPool.pixels.run { () throws(ImageError) in
            try reader.frame(index) { Task.isCancelled }
        }
    }

    /// Decodes all frames and keeps them for as long as the animation lives (X011, X169): no player then ever waits. They
    /// are part of `memoryCost` from then on, which a cache reads when it stores a picture.
    ///
    /// Does nothing where they are there, or would take more than `limit` bytes: they are then decoded when they are shown.
    ///
    /// - Parameter limit: as much as the frames of all players may take by default.
    /// - Throws: what a frame throws; nothing is kept then. `ImageError.cancelled`.
    public func loadAllFrames(limit: Int = FrameStore.automaticLimit) async throws(ImageError) {
        try await WorkerPool.pixels.run { () throws(ImageError) in
            try loadFrames(limit: limit) { Task.isCancelled }
        }
    }

    /// Gives back the frames that `loadAllFrames` has kept. Players that show them go on.
    public func unloadAllFrames() {
        keep(keptFrames.filter { $0.key == 0 })
    }

    /// Whether all frames are kept.
    public var isLoaded: Bool { keptFrames.count == frameCount }

    /// The work of `loadAllFrames`, on the caller's thread.
    func loadFrames(limit: Int, isCancelled: @Sendable () -> Bool) throws(ImageError) {
        guard !isLoaded, framesByteCount <= limit else { return }
        var frames = keptFrames
        defer { reader.close() }
        for index in 0..<frameCount where frames[index] == nil {
            frames[index] = try reader.frame(index, isCancelled: isCancelled).pixels
        }
        keep(frames)
    }

    private func image(_ pixels: PixelBuffer, _ index: Int) -> DecodedImage {
        DecodedImage(
            pixels: pixels,
            metadata: ImageMetadata(
                header: header, frameIndex: index, isThumbnail: size != header.size, isTransformed: !transforms.isEmpty
            ))
    }
}

/// The readers that were asked last without a player. What they keep for their next frames is a few canvases each, so that it is
/// given back when others are asked.
private final class RecentReaders: Sendable {
    static let shared = RecentReaders()

    private struct Reference {
        weak var reader: AnimationReader?
    }

    private static let most = 4
    private let recent = Mutex<[Reference]>([])

    func use(_ reader: AnimationReader) {
        let closed = recent.withLock { recent in
            recent.removeAll { $0.reader == nil || $0.reader === reader }
            recent.append(Reference(reader: reader))
            return recent.count > Self.most ? recent.removeFirst().reader : nil
        }
        guard let closed else { return }
        // A decoder may have much to give back.
        Task(executorPreference: WorkerPool.pixels) { closed.close() }
    }
}
