import CEaselSystem

/// CRC-32C (Castagnoli, RFC 3720 appendix B.4), which tells a cache file that was damaged from a sound one.
enum CRC32C {
    /// The checksum of `bytes`: by the processor where it can, some ten times as fast as by tables.
    static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var sum: UInt32 = 0
        return easel_crc32c(bytes.baseAddress, bytes.count, &sum) != 0 ? sum : checksumByTables(bytes)
    }

    /// The same on every processor, eight bytes at a time.
    static func checksumByTables(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        tables.withUnsafeBufferPointer { tables in
            var crc = ~UInt32(0)
            var offset = 0
            while offset + 8 <= bytes.count {
                let low = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) ^ crc
                let high = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self))
                crc = tables[7 << 8 | Int(low & 0xFF)] ^ tables[6 << 8 | Int(low >> 8 & 0xFF)]
                crc ^= tables[5 << 8 | Int(low >> 16 & 0xFF)] ^ tables[4 << 8 | Int(low >> 24)]
                crc ^= tables[3 << 8 | Int(high & 0xFF)] ^ tables[2 << 8 | Int(high >> 8 & 0xFF)]
                crc ^= tables[1 << 8 | Int(high >> 16 & 0xFF)] ^ tables[Int(high >> 24)]
                offset += 8
            }
            while offset < bytes.count {
                crc = crc >> 8 ^ tables[Int(UInt8(truncatingIfNeeded: crc) ^ bytes[offset])]
                offset += 1
            }
            return ~crc
        }
    }

    /// Table n holds the effect of a byte that is followed by n zero bytes.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var crc = UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
            tables[byte] = crc
        }
        for index in 256..<tables.count {
            let previous = tables[index - 256]
            tables[index] = previous >> 8 ^ tables[Int(previous & 0xFF)]
        }
        return tables
    }()
}
