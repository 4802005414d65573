import EaselFoundation

/// Decoded images in files, for example thumbnails: reading one costs no decode.
///
/// A folder like a `DiskCache`'s, with the same limits and crash safety. Its images can be decoded again from the original at any time:
/// files of another machine, another version or another layout count as missing.
public final class DecodedStore: Sendable {
    /// How much is kept.
    public struct Configuration: Sendable, Hashable {
        /// The most bytes of all files: 128 MB; 0 keeps nothing.
        public var maximumBytes = Int.megabytes(128)
        /// The most bytes of one image's pixels: 512 KiB, a thumbnail. Larger ones cost more to read than they are worth.
        public var maximumImageBytes = 512 << 10

        /// The defaults named above.
        public init() {}
    }

    /// The folder of this store.
    public var folder: String { files.folder }
    let files: DiskCache
    private let maximumImageBytes: Int
    private let machine: UInt64

    /// A store in `folder`, which is made when the first image is stored.
    public convenience init(folder: String, configuration: Configuration = Configuration()) {
        self.init(folder: folder, configuration: configuration, machine: DecodedFile.thisMachine)
    }

    init(folder: String, configuration: Configuration, machine: UInt64) {
        files = DiskCache(folder: folder, configuration: .init(maximumBytes: configuration.maximumBytes))
        maximumImageBytes = configuration.maximumBytes > 0 ? configuration.maximumImageBytes : 0
        self.machine = machine
    }

    /// The image, if the system has its file in memory; `nil` does not mean that there is none. Never blocks.
    public func residentImage(for key: CacheKey) -> CachedImage? {
        files.residentFile(for: key).flatMap(read)
    }

    /// The image, or `nil`. Counts as a use.
    public func image(for key: CacheKey) async -> CachedImage? {
        guard let file = try? await files.file(for: key) else { return nil }
        if let image = read(file) { return image }
        try? await files.remove(key)
        return nil
    }

    /// Whether there is a file for `key`; it may be of another machine.
    public func contains(_ key: CacheKey) async -> Bool { await files.contains(key) }

    /// Whether `store` accepts this image.
    func accepts(_ image: DecodedImage) -> Bool { header(of: image) != nil }

    /// The header for an image; `nil` if it is too large, has pixels of another kind, or too much metadata.
    private func header(of image: DecodedImage) -> [UInt8]? {
        guard image.pixels.byteCount <= maximumImageBytes, image.deepPixels == nil else { return nil }
        return DecodedFile(of: image, on: machine).header
    }

    /// Keeps an image, unless it is too large or its metadata has no room in the header.
    ///
    /// - Returns: whether it is kept.
    /// - Throws: `ImageError.unwritable`.
    @discardableResult
    public func store(_ cached: CachedImage, for key: CacheKey) async throws(ImageError) -> Bool {
        guard var file = header(of: cached.image).map({ Data($0) }) else { return false }
        cached.image.pixels.withUnsafeBytes { file.append(contentsOf: $0) }
        try await files.store(file, metadata: cached.metadata, for: key)
        return true
    }

    /// Removes an image.
    ///
    /// - Throws: `ImageError.unwritable`.
    public func remove(_ key: CacheKey) async throws(ImageError) { try await files.remove(key) }

    /// Removes every image.
    ///
    /// - Throws: `ImageError.unwritable`.
    public func removeAll() async throws(ImageError) { try await files.removeAll() }

    /// Removes what is too old or too much.
    public func trim() async { await files.trim() }

    /// Counts the images and the bytes of their files. Linear in their number.
    public func statistics() async -> DiskCache.Statistics { await files.statistics() }

    /// Returns when the work that stores have left for later is done.
    public func settle() async { await files.settle() }

    private func read(_ file: CachedFile) -> CachedImage? {
        guard let header = DecodedFile(header: Array(file.data.prefix(DecodedFile.headerLength))),
            header.machine == machine,
            let pixels = PixelBuffer(
                copying: file.data.dropFirst(DecodedFile.headerLength), size: header.size, isOpaque: header.isOpaque)
        else { return nil }
        return CachedImage(
            image: DecodedImage(pixels: pixels, scale: header.scale, metadata: header.metadata),
            metadata: file.metadata)
    }
}
