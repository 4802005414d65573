import CZlib

/// Bytes compressed by zlib.
enum Deflated {
    static func gzip(_ bytes: [UInt8]) -> [UInt8] { compress(bytes, windowBits: MAX_WBITS + 16) }
    static func zlib(_ bytes: [UInt8]) -> [UInt8] { compress(bytes, windowBits: MAX_WBITS) }
    static func raw(_ bytes: [UInt8]) -> [UInt8] { compress(bytes, windowBits: -MAX_WBITS) }

    private static func compress(_ bytes: [UInt8], windowBits: Int32) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        var input = bytes
        return input.withUnsafeMutableBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: bound) { output, count in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(bound)
                deflate(&stream, Z_FINISH)
                count = bound - Int(stream.avail_out)
            }
        }
    }
}
