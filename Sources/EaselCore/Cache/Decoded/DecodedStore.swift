import EaselFoundation

/// Decoded images in files, for example thumbnails: reading one costs no decode.
///
/// A folder like a `DiskCache`'s, with the same limits and crash safety. Its images can be decoded again from the
/// original at any time: files of another machine, another version or another layout count as missing.
final class DecodedStore: Sendable {
    let files: DiskCache
    private let maximumImageBytes: Int
    private let machine: UInt64

    init(
        folder: String, configuration: ImageCache.Configuration.Decoded, machine: UInt64 = DecodedFile.thisMachine
    ) {
        files = DiskCache(folder: folder, configuration: .init(maximumBytes: configuration.maximumBytes))
        maximumImageBytes = configuration.maximumBytes.bytes > 0 ? configuration.maximumImageBytes.bytes : 0
        self.machine = machine
    }

    func image(for key: CacheKey) async -> CachedImage? {
        guard let file = try? await files.file(for: key) else { return nil }
        if let header = DecodedFile(header: Array(file.data.prefix(DecodedFile.headerLength))),
            header.machine == machine,
            let pixels = PixelBuffer(
                copying: file.data.dropFirst(DecodedFile.headerLength), size: header.size, isOpaque: header.isOpaque)
        {
            let image = DecodedImage(pixels: pixels, scale: header.scale, metadata: header.metadata)
            return CachedImage(image: image, metadata: file.metadata)
        }
        try? await files.remove(key)
        return nil
    }

    /// Returns the header for an image that `store` accepts, or `nil` if the image is too large, has pixels of another
    /// kind, or too much metadata.
    func header(of image: DecodedImage) -> [UInt8]? {
        guard image.pixels.byteCount <= maximumImageBytes, image.deepPixels == nil, image.gainMap == nil else {
            return nil
        }
        return DecodedFile(of: image, on: machine).header
    }

    /// Stores an image if `header(of:)` accepts it. Returns whether it was stored.
    ///
    /// - Throws: `ImageError.unwritable`.
    func store(_ cached: CachedImage, for key: CacheKey) async throws(ImageError) -> Bool {
        guard var file = header(of: cached.image).map({ Data($0) }) else { return false }
        cached.image.pixels.withUnsafeBytes { file.append(contentsOf: $0) }
        try await files.store(file, metadata: cached.metadata, for: key)
        return true
    }
}
