public import EaselCore

public import EaselFoundation

extension PNGCoder: MetadataReading {
    /// Reads the eXIf chunk and the text that holds XMP, where it is not compressed, which the standard advises against.
    ///
    /// - Throws: `ImageError.badData` for what is no PNG.
    public func metadata(of data: Data) throws(ImageError) -> FileMetadata {
        let bytes = data.span
        let file = try PNGFile(bytes)
        return FileMetadata(
            exif: file.exif.map { bytes.extracting($0).withUnsafeBytes { Data($0) } },
            xmp: file.xmp.map { bytes.extracting($0).withUnsafeBytes { Data($0) } })
    }
}

extension PNGChunkWriter {
    /// The chunks of metadata, which stand before the picture's data.
    mutating func append(_ metadata: (exif: [UInt8]?, xmp: [UInt8]?)?) {
        if let exif = metadata?.exif { append(.exif, exif) }
        if let xmp = metadata?.xmp { append(.internationalText, PNGFile.xmpName.withUTF8Buffer { Array($0) } + xmp) }
    }
}
