import EaselCodecs
import Foundation

/// A correction of the checksums of PNG chunks, without which hardly any input is read beyond its first chunk.
enum PNGChecksums {
    /// Returns the file with correct checksums, or unchanged if its last byte is odd, to test wrong ones too.
    static func repair(_ file: Data) -> Data {
        if let last = file.last, last % 2 == 1 { return file }
        var bytes = [UInt8](file)
        var offset = 8
        while offset <= bytes.count - 12 {
            let length = bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - offset - 12 else { break }
            let end = offset + 8 + length
            let checksum = checksum(of: bytes[(offset + 4)..<end])
            for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: checksum >> (24 - index * 8)) }
            offset = end + 4
        }
        return Data(bytes)
    }

    /// Returns the CRC-32 of PNG (ISO/IEC 15948, annex D).
    private static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
}
