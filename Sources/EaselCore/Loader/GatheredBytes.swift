#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The bytes of a file that comes piece by piece, in one place.
///
/// A large file of announced length gets a block of the pool for pixels, of huge pages where the system has them and often warm
/// from the last: memory that grows with 50 MB is 12,800 page faults, which take longer than to copy them. The length is only a
/// guess until the bytes are there: memory that nobody writes to costs nothing, and a longer file moves on.
struct GatheredBytes {
    /// How many there are.
    private(set) var count: Int
    private var block: PooledBlock?
    private var growing = Data()

    /// Bytes of which `beginning` is there.
    init(beginning: Data = Data(), expected: Int? = nil, pool: PixelPool = .shared) {
        count = beginning.count
        let expected = expected ?? 0
        if Self.pooledLengths.contains(expected), count <= expected {
            let block = PooledBlock(byteCount: expected, of: pool)
            beginning.withUnsafeBytes { block.bytes.copyMemory(from: $0) }
            self.block = block
        } else {
            growing = beginning
            growing.reserveCapacity(min(expected, Self.pooledLengths.upperBound))
        }
    }

    mutating func append(_ piece: [UInt8]) {
        if let block {
            if count + piece.count <= block.bytes.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: block.bytes[count...])
                piece.withUnsafeBytes { rest.copyMemory(from: $0) }
                count += piece.count
                return
            }
            growing = bytes(from: 0)
            self.block = nil
        }
        growing.append(contentsOf: piece)
        count = growing.count
    }

    /// A copy of what lies behind the first `offset` bytes.
    func bytes(from offset: Int) -> Data {
        guard offset < count else { return Data() }
        guard let block else { return growing.withUnsafeBytes { Data($0[offset...]) } }
        return Data(block.bytes[offset..<count])
    }

    /// All of them, not copied.
    consuming func finish() -> Data {
        guard let block, let start = block.bytes.baseAddress, count > 0 else { return growing }
        return Data(bytesNoCopy: start, count: count, deallocator: .custom { _, _ in withExtendedLifetime(block) {} })
    }

    /// From where pages of their own are worth their while, to where an announcement is not believed.
    private static let pooledLengths = 1 << 20...64 << 20
}

/// A block of the pool, given back with the last reference.
///
/// `@unchecked Sendable` is sound: one `GatheredBytes` has it and writes behind the bytes that are there; from its `finish` on
/// it is only read.
private final class PooledBlock: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
    private let pool: PixelPool

    init(byteCount: Int, of pool: PixelPool) {
        bytes = pool.take(byteCount)
        self.pool = pool
    }

    deinit { pool.give(bytes) }
}
