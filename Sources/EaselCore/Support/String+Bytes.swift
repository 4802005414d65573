#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Looks at texts byte by byte: what is looked for in a URL is ASCII, and characters cost ten times as much.
extension String {
    /// Whether the byte is in its UTF-8 form.
    func has(_ byte: Unicode.Scalar) -> Bool {
        let byte = Int32(UInt8(ascii: byte))
        return withBytes { bytes in bytes.baseAddress.map { memchr($0, byte, bytes.count) != nil } ?? false }
    }

    /// Its UTF-8 form, for as long as `body` runs.
    func withBytes<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        if let value = utf8.withContiguousStorageIfAvailable(body) { return value }
        var copy = self
        return copy.withUTF8(body)
    }
}
