import Foundation
import Testing

@testable import EaselCore

@Suite("Gathered bytes: a file that comes piece by piece")
struct GatheredBytesTests {
    private static let megabyte = 1 << 20
    private let pool = BlockPool(capacity: 8 << 20)

    /// Bytes in which every piece looks different: a block of a prime length, again and again.
    private func pattern(_ count: Int) -> [UInt8] {
        let block = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += block }
        return Array(bytes[..<count])
    }

    private func gathered(
        _ bytes: [UInt8], beginning: Int = 0, step: Int = 100_000, expected: Int?
    ) -> GatheredBytes {
        var gathered = GatheredBytes(beginning: Data(bytes[..<beginning]), expected: expected, pool: pool)
        for start in stride(from: beginning, to: bytes.count, by: step) {
            gathered.append(Array(bytes[start..<min(start + step, bytes.count)]))
        }
        return gathered
    }

    @Test(
        "are all there, whatever was announced",
        arguments: [nil, 0, 1000, megabyte, 2 * megabyte, 3 * megabyte, 1 << 40])
    func whole(expected: Int?) {
        let bytes = pattern(2 * Self.megabyte)
        let gathered = gathered(bytes, expected: expected)
        #expect(gathered.count == bytes.count)
        #expect(gathered.finish() == Data(bytes))
    }

    @Test("go on behind what is there already", arguments: [nil, 2 * megabyte])
    func continued(expected: Int?) {
        let bytes = pattern(2 * Self.megabyte)
        #expect(gathered(bytes, beginning: 70_001, expected: expected).finish() == Data(bytes))
    }

    @Test("are shown from any place to the last that has come", arguments: [nil, 2 * megabyte])
    func shown(expected: Int?) {
        let bytes = pattern(Self.megabyte)
        let gathered = gathered(bytes, expected: expected)
        #expect(gathered.bytes(from: 0) == Data(bytes))
        #expect(gathered.bytes(from: 1_000_000) == Data(bytes[1_000_000...]))
        #expect(gathered.bytes(from: bytes.count).isEmpty)
        #expect(gathered.bytes(from: .max).isEmpty)
    }

    @Test("are none where none has come")
    func none() {
        #expect(GatheredBytes(expected: Self.megabyte, pool: pool).finish().isEmpty)
        #expect(GatheredBytes().finish().isEmpty)
    }

    @Test("of a large file lie in a block of the pool, which has it back when nobody keeps the file")
    func pooled() {
        var file: Data? = gathered(pattern(Self.megabyte), expected: Self.megabyte).finish()
        #expect(file?.count == Self.megabyte)
        #expect(pool.waitingByteCount == 0)
        file = nil
        #expect(pool.waitingByteCount == Self.megabyte)
    }

    @Test("that outgrow their announcement leave the block at once")
    func outgrown() {
        let gathered = gathered(pattern(2 * Self.megabyte), expected: Self.megabyte)
        #expect(pool.waitingByteCount == Self.megabyte)
        #expect(gathered.count == 2 * Self.megabyte)
    }

    @Test("can be changed by who gets them, and nobody else sees that")
    func changed() {
        let bytes = pattern(Self.megabyte)
        let file = gathered(bytes, expected: Self.megabyte).finish()
        var other = file
        other[0] ^= 0xff
        other.append(contentsOf: [1, 2, 3])
        #expect(file == Data(bytes))
        #expect(other.count == bytes.count + 3)
    }
}
