import EaselFoundation
import CDeflate
import EaselCore

/// Writes gzip (RFC 1952), for answers with `Content-Encoding`.
enum Gzip {
    /// Blocks. Compresses as hard as it can, so that a small answer can hold a very large body.
    static func compress(_ data: Data) throws(ImageError) -> Data {
        guard let compressor = libdeflate_alloc_compressor(12) else {
            throw .unsupported("There is no memory to compress an answer.")
        }
        defer { libdeflate_free_compressor(compressor) }
        var output = [UInt8](repeating: 0, count: libdeflate_gzip_compress_bound(compressor, data.count))
        let count = data.withUnsafeBytes { input in
            output.withUnsafeMutableBytes { output in
                libdeflate_gzip_compress(compressor, input.baseAddress, input.count, output.baseAddress, output.count)
            }
        }
        return Data(output.prefix(count))
    }
}
