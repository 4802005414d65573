import CDeflate
import EaselCore

/// zlib streams of a PNG, inflated in one go into memory of a size known beforehand.
enum PNGInflate {
    /// No deflate stream holds more than this many bytes for one of its own: a match of 258 bytes takes two bits.
    private static let highestRatio = 1032

    /// The joined data of `chunks`, inflated to exactly `byteCount` bytes.
    ///
    /// - Throws: `ImageError.badData` for damaged data, and for more or less of it than `byteCount`.
    static func pixels(
        of chunks: [PNGChunk], in file: Span<UInt8>, byteCount: Int, size: PixelSize
    ) throws(ImageError) -> ScratchMemory {
        let pieces = try pieces(of: chunks, in: file)
        let compressedCount = pieces.reduce(0) { $0 + $1.count }
        // Asked before the memory is: a few bytes that announce a huge picture cost nothing.
        guard byteCount / highestRatio <= compressedCount else {
            throw .badData("The PNG's data is cut off, or is not that of a picture of \(size).")
        }
        let output = try ScratchMemory(count: byteCount, for: size)
        if pieces.count == 1 {
            try inflate(file.extracting(pieces[0]), into: output.bytes)
            return output
        }
        let joined = try ScratchMemory(count: compressedCount, for: size)
        var end = 0
        for piece in pieces {
            file.extracting(piece).withUnsafeBytes { bytes in
                // The pieces' counts add up to `joined.count`.
                UnsafeMutableRawBufferPointer(rebasing: joined.bytes[end...]).copyMemory(from: bytes)
            }
            end += piece.count
        }
        try inflate(Span(_unsafeBytes: UnsafeRawBufferPointer(joined.bytes)), into: output.bytes)
        return output
    }

    /// The profile in an iCCP chunk's compressed part; `nil` where it is damaged or has more than `limit` bytes.
    static func profile(_ compressed: Span<UInt8>, limit: Int) -> [UInt8]? {
        guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        var capacity = 8 << 10
        while true {
            var count = 0
            var result = LIBDEFLATE_BAD_DATA
            let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initializedCount in
                result = compressed.withUnsafeBytes {
                    libdeflate_zlib_decompress(
                        decompressor, $0.baseAddress, $0.count, buffer.baseAddress, capacity, &count)
                }
                initializedCount = result == LIBDEFLATE_SUCCESS ? count : 0
            }
            if result == LIBDEFLATE_SUCCESS { return bytes }
            guard result == LIBDEFLATE_INSUFFICIENT_SPACE else { return nil }
            guard capacity < limit else { return nil }
            capacity = min(capacity * 4, limit)
        }
    }

    private static func inflate(
        _ stream: Span<UInt8>, into output: UnsafeMutableRawBufferPointer
    ) throws(ImageError) {
        guard let decompressor = libdeflate_alloc_decompressor() else { throw .unsupported("There is no memory left.") }
        defer { libdeflate_free_decompressor(decompressor) }
        // Without a place for the real count, libdeflate succeeds only if it is exactly the one asked for.
        let result = stream.withUnsafeBytes {
            libdeflate_zlib_decompress(decompressor, $0.baseAddress, $0.count, output.baseAddress, output.count, nil)
        }
        guard result == LIBDEFLATE_SUCCESS else {
            throw .badData("The PNG's data is damaged or cut off.")
        }
    }

    /// The places of the data itself, each verified by its chunk's checksum.
    private static func pieces(of chunks: [PNGChunk], in file: Span<UInt8>) throws(ImageError) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        for chunk in chunks {
            guard PNGFile.isSound(chunk, in: file) else { throw .badData("The PNG's data is damaged or cut off.") }
            let sequenceBytes = chunk.type == .frameData ? 4 : 0
            pieces.append((chunk.data.lowerBound + sequenceBytes)..<chunk.data.upperBound)
        }
        return pieces
    }
}
