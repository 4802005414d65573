import CDeflate
import CZlib
import EaselCore

/// Functions that inflate the zlib streams of a PNG in one call, into memory of a known size.
enum PNGInflate {
    /// The highest compression ratio of deflate: a match of 258 bytes takes two bits.
    private static let highestRatio = 1032

    /// Inflates the joined data of `chunks` to exactly `byteCount` bytes.
    ///
    /// - Throws: `ImageError.badData` for damaged data, and for any other size than `byteCount`.
    static func pixels(
        of chunks: [PNGChunk], in file: Span<UInt8>, byteCount: Int, size: PixelSize
    ) throws(ImageError) -> ScratchMemory {
        var pieces: [Range<Int>] = []
        for chunk in chunks {
            guard PNGFile.matchesChecksum(chunk, in: file) else { throw .damaged }
            let sequenceBytes = chunk.type == .frameData ? 4 : 0
            pieces.append((chunk.data.lowerBound + sequenceBytes)..<chunk.data.upperBound)
        }
        let compressedCount = pieces.reduce(0) { $0 + $1.count }
        // Checked before allocation, so that a tiny file cannot allocate a huge image.
        guard byteCount / highestRatio <= compressedCount else { throw .truncated }
        let output = try ScratchMemory(count: byteCount, for: size)
        if pieces.count == 1 {
            try inflate(file.extracting(pieces[0]), into: output.bytes)
            return output
        }
        let joined = try ScratchMemory(count: compressedCount, for: size)
        var end = 0
        for piece in pieces {
            file.extracting(piece).withUnsafeBytes { bytes in
                // The pieces add up to `joined.count`.
                UnsafeMutableRawBufferPointer(rebasing: joined.bytes[end...]).copyMemory(from: bytes)
            }
            end += piece.count
        }
        try inflate(Span(_unsafeBytes: UnsafeRawBufferPointer(joined.bytes)), into: output.bytes)
        return output
    }

    /// Inflates the profile of an iCCP chunk. Returns `nil` if it is damaged or exceeds `limit` bytes.
    static func profile(_ compressed: Span<UInt8>, limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        do throws(ImageError) {
            let stream = try InflateStream()
            let buffer = try ScratchMemory(count: 8 << 10, for: PixelSize(1, 1))
            try compressed.withUnsafeBytes { (data) throws(ImageError) in
                try stream.inflate(data, through: buffer.bytes) { (piece) throws(ImageError) in
                    guard piece.count <= limit - bytes.count else { throw .damaged }
                    bytes += piece
                }
            }
            return stream.hasEnded ? bytes : nil
        } catch {
            return nil
        }
    }

    private static func inflate(_ stream: Span<UInt8>, into output: UnsafeMutableRawBufferPointer) throws(ImageError) {
        guard let decompressor = libdeflate_alloc_decompressor() else { throw .outOfMemory }
        defer { libdeflate_free_decompressor(decompressor) }
        // Without an output for the actual size, libdeflate succeeds only if the size matches exactly.
        let result = stream.withUnsafeBytes {
            libdeflate_zlib_decompress(decompressor, $0.baseAddress, $0.count, output.baseAddress, output.count, nil)
        }
        guard result == LIBDEFLATE_SUCCESS else { throw .damaged }
    }
}

/// A zlib stream that is inflated in pieces, which libdeflate does not support.
final class InflateStream {
    // zlib stores this address.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether the stream has ended, including its checksum.
    private(set) var hasEnded = false

    /// - Throws: `ImageError.unsupported` if memory runs out.
    init() throws(ImageError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard inflateInit2_(stream, 15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            stream.deallocate()
            throw .outOfMemory
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Inflates `bytes` and passes the output to `body` in buffers. Ignores data after the end of the stream.
    ///
    /// - Throws: `ImageError.badData` for damaged data, and the errors of `body`.
    func inflate(
        _ bytes: UnsafeRawBufferPointer, through buffer: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(ImageError) -> Void
    ) throws(ImageError) {
        // zlib has 32-bit sizes.
        for start in stride(from: 0, to: bytes.count, by: 1 << 30) {
            let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + 1 << 30, bytes.count)])
            // zlib declares its input as mutable but only reads it.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: piece.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = UInt32(piece.count)
            defer { stream.pointee.next_in = nil }
            try inflateInput(through: buffer, body)
        }
    }

    private func inflateInput(
        through buffer: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(ImageError) -> Void
    ) throws(ImageError) {
        while !hasEnded {
            stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(buffer.count)
            let result = CZlib.inflate(stream, Z_NO_FLUSH)
            hasEnded = result == Z_STREAM_END
            // Z_BUF_ERROR means that more input is needed.
            guard hasEnded || result == Z_OK || result == Z_BUF_ERROR else { throw .damaged }
            let count = buffer.count - Int(stream.pointee.avail_out)
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            if count < buffer.count { return }
        }
    }
}
