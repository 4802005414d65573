import EaselTesting
import Testing

@testable import EaselCore

@Suite("CRC-32C")
struct CRC32CTests {
    @Test("checksums match RFC 3720 B.4")
    func vectors() {
        #expect(checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
        #expect(checksum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
        #expect(checksum(Array(0..<32)) == 0x46DD_794E)
        #expect(checksum((0..<32).reversed()) == 0x113F_DB5C)
        let readCommand: [UInt8] = [
            0x01, 0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
            0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x18,
            0x28, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        ]
        #expect(checksum(readCommand) == 0xD996_3A56)
    }

    @Test("the checksum of no bytes is zero")
    func empty() {
        #expect(checksum([]) == 0)
    }

    @Test("the checksum of the nine digits is the catalogue's check value")
    func check() {
        #expect(checksum(Array("123456789".utf8)) == 0xE306_9283)
    }

    @Test("checksums of every length and alignment match a bit-by-bit division")
    func lengthsAndAlignments() {
        var random = SeededGenerator(seed: 3720)
        let bytes = (0..<96).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes.withUnsafeBytes { bytes in
            for start in 0..<9 {
                for end in start...bytes.count {
                    let part = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                    #expect(CRC32C.checksum(part) == divided(part))
                }
            }
        }
    }

    @Test("checksums by the processor and by tables are equal, at many lengths and every alignment")
    func processorAndTables() {
        var random = SeededGenerator(seed: 5_000)
        let bytes = (0..<6_200).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes.withUnsafeBytes { bytes in
            // Every length near those at which the work is split, and some between.
            let lengths = [0, 8, 24, 64, 256, 768, 1_024, 3_072, 4_096, 5_000, 6_144].flatMap { ($0 - 8)...($0 + 8) }
            for length in lengths + Array(stride(from: 11, to: 5_000, by: 97)) where length >= 0 {
                for start in 0..<8 {
                    let part = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + length)])
                    #expect(CRC32C.checksum(part) == CRC32C.checksumByTable(part), "\(length) bytes at \(start)")
                }
            }
        }
    }

    @Test("every single flipped bit changes the checksum")
    func flippedBits() {
        let sound = Array("a cache file of some thirty bytes".utf8)
        let checksums = (0..<(sound.count * 8)).map { bit in
            var torn = sound
            torn[bit / 8] ^= 1 << (bit % 8)
            return checksum(torn)
        }
        #expect(!checksums.contains(checksum(sound)))
        #expect(Set(checksums).count == checksums.count)
    }

    private func checksum(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes(CRC32C.checksum) }

    private func divided(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var crc = ~UInt32(0)
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
        }
        return ~crc
    }
}
