#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Decoded pictures, thumbnails as they were shown say, in files that are mapped, not read: having one again costs no
/// decode and no copy (S166, S167 taken further).
///
/// A folder like a `DiskCache`'s, with the same limits, crash-safety and upkeep. What is in it can be made again from the
/// original at any time: files of another machine, another version or another layout count as missing.
public final class DecodedStore: Sendable {
    /// How much is kept.
    public struct Configuration: Sendable, Hashable {
        /// The most bytes of all files: 128 MB; 0 keeps nothing.
        public var maximumBytes = Int.megabytes(128)
        /// The most bytes of one picture's pixels: 512 KiB, a thumbnail. Larger ones cost more to map than they are worth.
        public var maximumPictureBytes = 512 << 10

        /// The defaults named above.
        public init() {}
    }

    /// The folder of this store.
    public var folder: String { files.folder }
    private let files: DiskCache
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
    public func residentImage(for key: CacheKey) -> DecodedImage? {
        guard let entry = files.mapResident(key), isOfThisStart(entry) else { return nil }
        return image(entry)
    }

    /// The picture, or `nil`. Counts as a use.
    public func image(for key: CacheKey) async -> DecodedImage? {
        if let image = residentImage(for: key) { return image }
        return await WorkerPool.files.finish {
            guard let entry = files.map(key) else { return nil }
            // Only what was written before the system's last start can have lost a part unnoticed.
            if isOfThisStart(entry) || entry.isSound, let image = image(entry) { return image }
            files.discard(entry)
            return nil
        }
    }

    /// Keeps a picture, unless it is too large or there is no room for it in the header.
    ///
    /// - Returns: whether it is kept.
    /// - Throws: `ImageError.unwritable`.
    @discardableResult
    public func store(_ image: DecodedImage, for key: CacheKey) async throws(ImageError) -> Bool {
        guard image.pixels.byteCount <= maximumPictureBytes,
            var file = DecodedFile(of: image, on: identity).header.map({ Data($0) })
        else { return false }
        image.pixels.withUnsafeBytes { file.append(contentsOf: $0) }
        try await files.store(file, for: key)
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

    private func header(_ entry: DiskCache.MappedEntry) -> DecodedFile? {
        DecodedFile(header: Array(entry.mapping.bytes.prefix(DecodedFile.headerLength)))
    }

    private func isOfThisStart(_ entry: DiskCache.MappedEntry) -> Bool {
        identity.start != nil && header(entry)?.identity == identity
    }

    private func image(_ entry: DiskCache.MappedEntry) -> DecodedImage? {
        guard let header = header(entry), header.identity.machine == identity.machine,
            let pixels = PixelBuffer(
                entry.mapping, from: DecodedFile.headerLength, size: header.size, isOpaque: header.isOpaque)
        else { return nil }
        return DecodedImage(pixels: pixels, scale: header.scale, metadata: header.metadata)
    }
}
