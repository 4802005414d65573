import CEaselSystem

/// CRC-32C (Castagnoli, RFC 3720 appendix B.4), which detects damaged cache files.
package enum CRC32C {
    /// Returns the checksum of `bytes`, computed by the processor if it can.
    package static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var sum: UInt32 = 0
        return easel_crc32c(bytes.baseAddress, bytes.count, &sum) != 0 ? sum : checksumByTable(bytes)
    }

    static func checksumByTable(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        ~bytes.reduce(~0) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
    }

    private static let table = (UInt32(0)..<256).map { byte in
        (0..<8).reduce(byte) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
    }
}
