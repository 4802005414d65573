import EaselFoundation

/// Decoded pictures, thumbnails as they were shown say, in files: having one again costs no decode (S166, S167 taken further).
///
/// A folder like a `DiskCache`'s, with the same limits, crash-safety and upkeep. What is in it can be made again from the
/// original at any time: files of another machine, another version or another layout count as missing.
public final class DecodedStore: Sendable {
    /// How much is kept.
    public struct Configuration: Sendable, Hashable {
        /// The most bytes of all files: 128 MB; 0 keeps nothing.
        public var maximumBytes = Int.megabytes(128)
        /// The most bytes of one picture's pixels: 512 KiB, a thumbnail. Larger ones cost more to read than they are worth.
        public var maximumPictureBytes = 512 << 10

        /// The defaults named above.
        public init() {}
    }

    /// The folder of this store.
    public var folder: String { files.folder }
    let files: DiskCache
    private let maximumPictureBytes: Int
    private let identity: MachineIdentity

    /// A store in `folder`, which is made when the first picture is stored.
    public convenience init(folder: String, configuration: Configuration = Configuration()) {
        self.init(folder: folder, configuration: configuration, identity: .current)
    }

    init(folder: String, configuration: Configuration, identity: MachineIdentity) {
        files = DiskCache(folder: folder, configuration: .init(maximumBytes: configuration.maximumBytes))
        maximumPictureBytes = configuration.maximumBytes > 0 ? configuration.maximumPictureBytes : 0
        self.identity = identity
    }

    /// The picture, if its file is in the system's memory; `nil` says nothing of the disk. Never blocks.
    public func residentPicture(for key: CacheKey) -> CachedPicture? {
        files.residentFile(for: key).flatMap(picture)
    }

    /// The picture, or `nil`. Counts as a use.
    public func picture(for key: CacheKey) async -> CachedPicture? {
        guard let file = try? await files.file(for: key) else { return nil }
        if let picture = picture(file) { return picture }
        try? await files.remove(key)
        return nil
    }

    /// Whether a file is there for `key`; it may turn out to be another machine's.
    public func contains(_ key: CacheKey) async -> Bool { await files.contains(key) }

    /// Whether `store` would keep this picture, as far as the picture is concerned.
    func accepts(_ image: DecodedImage) -> Bool {
        // A file has room for one kind of pixels.
        image.pixels.byteCount <= maximumPictureBytes && image.deepPixels == nil
            && DecodedFile(of: image, on: identity).fits
    }

    /// Keeps a picture, unless it is too large or there is no room for it in the header.
    ///
    /// - Returns: whether it is kept.
    /// - Throws: `ImageError.unwritable`.
    @discardableResult
    public func store(_ picture: CachedPicture, for key: CacheKey) async throws(ImageError) -> Bool {
        let image = picture.image
        guard accepts(image), var file = DecodedFile(of: image, on: identity).header.map({ Data($0) }) else {
            return false
        }
        image.pixels.withUnsafeBytes { file.append(contentsOf: $0) }
        try await files.store(file, metadata: picture.metadata, for: key)
        return true
    }

    /// Removes a picture.
    ///
    /// - Throws: `ImageError.unwritable`.
    public func remove(_ key: CacheKey) async throws(ImageError) { try await files.remove(key) }

    /// Removes every picture.
    ///
    /// - Throws: `ImageError.unwritable`.
    public func removeAll() async throws(ImageError) { try await files.removeAll() }

    /// Removes what is too old or too much.
    public func trim() async { await files.trim() }

    /// Counts the pictures and the bytes of their files. Linear in their number.
    public func statistics() async -> DiskCache.Statistics { await files.statistics() }

    /// Returns when what stores have begun behind their callers' backs is over.
    public func settle() async { await files.settle() }

    private func picture(_ file: CachedFile) -> CachedPicture? {
        guard let header = DecodedFile(header: Array(file.data.prefix(DecodedFile.headerLength))),
            header.identity == identity,
            let pixels = PixelBuffer(
                copying: file.data.dropFirst(DecodedFile.headerLength), size: header.size, isOpaque: header.isOpaque)
        else { return nil }
        return CachedPicture(
            image: DecodedImage(pixels: pixels, scale: header.scale, metadata: header.metadata),
            metadata: file.metadata)
    }
}
