import CWebP
public import EaselCore

public import EaselFoundation

extension WebPCoder: MetadataReading {
    /// Reads the EXIF and the XMP chunk.
    ///
    /// - Throws: `ImageError.badData` for what is no WebP.
    public func metadata(of data: Data) throws(ImageError) -> FileMetadata {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            var file = WebPData(bytes: bytes.baseAddress, size: bytes.count)
            var state = WEBP_DEMUX_PARSE_ERROR
            guard let demuxer = WebPDemuxPartial(&file, &state) else {
                throw .badData("This is no WebP, or it is cut off before its picture.")
            }
            defer { WebPDemuxDelete(demuxer) }
            func chunk(_ name: String) -> Data? {
                var chunk = WebPChunkIterator()
                defer { WebPDemuxReleaseChunkIterator(&chunk) }
                guard WebPDemuxGetChunk(demuxer, name, 1, &chunk) != 0, let start = chunk.chunk.bytes else {
                    return nil
                }
                return Data(UnsafeBufferPointer(start: start, count: chunk.chunk.size))
            }
            // Some writers put the name there that JPEG wants.
            let exif = chunk("EXIF").map { $0.starts(with: Array("Exif\0\0".utf8)) ? Data($0.dropFirst(6)) : $0 }
            return FileMetadata(exif: exif, xmp: chunk("XMP "))
        }
    }

    /// The file with metadata behind its picture.
    ///
    /// - Throws: `ImageError.unsupported` without memory.
    static func insert(_ metadata: (exif: [UInt8]?, xmp: [UInt8]?), into file: Data) throws(ImageError) -> Data {
        let shortage = ImageError.unsupported("The WebP cannot be written: there is no memory left.")
        return try file.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            var source = WebPData(bytes: bytes.baseAddress, size: bytes.count)
            guard let mux = WebPMuxCreate(&source, 0) else { throw shortage }
            defer { WebPMuxDelete(mux) }
            for (name, content) in [("EXIF", metadata.exif), ("XMP ", metadata.xmp)] {
                guard let content else { continue }
                let result = content.withUnsafeBufferPointer { content in
                    var chunk = WebPData(bytes: content.baseAddress, size: content.count)
                    return WebPMuxSetChunk(mux, name, &chunk, 1)
                }
                guard result == WEBP_MUX_OK else { throw shortage }
            }
            var output = WebPData()
            defer { WebPDataClear(&output) }
            guard WebPMuxAssemble(mux, &output) == WEBP_MUX_OK, let start = output.bytes else { throw shortage }
            return Data(UnsafeBufferPointer(start: start, count: output.size))
        }
    }
}
