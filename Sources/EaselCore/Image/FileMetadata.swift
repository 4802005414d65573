public import EaselFoundation

/// What a file tells about its picture beside the pixels: who took it, where, with what, and what others wrote to it.
///
/// A profile is none of it: pixels have been converted by it, and those who read on would convert them twice.
public struct FileMetadata: Sendable, Hashable {
    /// EXIF (CIPA DC-008): the TIFF structure, from its byte order on.
    public var exif: Data?
    /// XMP (ISO 16684-1): the packet, in UTF-8.
    public var xmp: Data?

    /// Whether there is none.
    public var isEmpty: Bool { exif == nil && xmp == nil }

    /// Metadata; none by default.
    public init(exif: Data? = nil, xmp: Data? = nil) {
        self.exif = exif
        self.xmp = xmp
    }
}

/// A format whose files hold metadata, which its encoder can keep: `EncodeOptions.metadata`.
public protocol MetadataReading: ImageDecoding {
    /// The metadata of a file. No pixel is decoded. Nothing is told of what is damaged or cut off.
    ///
    /// - Throws: `ImageError.badData` for what is no file of this format.
    func metadata(of data: Data) throws(ImageError) -> FileMetadata
}
