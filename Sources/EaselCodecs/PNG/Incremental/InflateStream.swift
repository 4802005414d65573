import CZlib
import EaselCore

/// A zlib stream that is inflated piece by piece, which libdeflate cannot do.
final class InflateStream {
    // zlib keeps the address.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether the stream is over, its checksum included.
    private(set) var hasEnded = false

    /// - Throws: `ImageError.unsupported` without memory.
    init() throws(ImageError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard inflateInit2_(stream, 15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            stream.deallocate()
            throw .unsupported("There is no memory left to decode the PNG.")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Inflates all of `bytes`, and hands over what comes out, a buffer at a time. What follows the stream is ignored.
    ///
    /// - Throws: `ImageError.badData` for what is no such stream, and what `body` throws.
    func inflate(
        _ bytes: UnsafeRawBufferPointer, through buffer: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(ImageError) -> Void
    ) throws(ImageError) {
        // zlib counts in 32 bits; pieces of a file are shorter, but nothing says so.
        for start in stride(from: 0, to: bytes.count, by: 1 << 30) {
            let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + 1 << 30, bytes.count)])
            // zlib only reads what its field, which predates const, points to.
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
            // Nothing to do is no error: the rest has not come.
            guard hasEnded || result == Z_OK || result == Z_BUF_ERROR else {
                throw .badData("The PNG's data is damaged.")
            }
            let count = buffer.count - Int(stream.pointee.avail_out)
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            if count < buffer.count { return }
        }
    }
}
