import EaselFoundation

/// The bytes of a file that comes piece by piece, in one place.
///
/// A large file of announced length gets a block of the pool, of huge pages where the system has them and often warm from the
/// last: memory that grows with 50 MB is 12,800 page faults, which take longer than to copy them. The length is only a guess
/// until the bytes are there: memory that nobody writes to costs nothing, and a longer file moves on.
struct GatheredBytes: ~Copyable {
    /// How many there are.
    private(set) var count: Int
    private var block: PooledBlock?
    private var growing = Data()

    /// Bytes of which `beginning` is there.
    init(beginning: Data = Data(), expected: Int? = nil, pool: BlockPool = .shared) {
        count = beginning.count
        let expected = expected ?? 0
        if Self.pooledLengths.contains(expected), count <= expected {
            let block = PooledBlock(byteCount: expected, of: pool)
            beginning.withUnsafeBytes { block.bytes.copyMemory(from: $0) }
            self.block = consume block
        } else {
            growing = beginning
            growing.reserveCapacity(min(expected, Self.pooledLengths.upperBound))
        }
    }

    /// All that the block holds, which is as long as this is.
    private var room: UnsafeMutableRawBufferPointer? {
        switch block {
        case .some(let block): block.bytes
        case nil: nil
        }
    }

    mutating func append(_ piece: [UInt8]) {
        if let room {
            if count + piece.count <= room.count {
                piece.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: $0) }
                count += piece.count
                return
            }
            growing = bytes(from: 0)
            block = nil
        }
        growing.append(contentsOf: piece)
        count = growing.count
    }

    /// A copy of what lies behind the first `offset` bytes.
    func bytes(from offset: Int) -> Data {
        guard offset < count else { return Data() }
        guard let room else { return growing.withUnsafeBytes { Data($0[offset...]) } }
        return Data(room[offset..<count])
    }

    /// All of them, not copied.
    consuming func finish() -> Data {
        let count = count
        guard let start = room?.baseAddress, count > 0 else { return growing }
        let owner = Owner(block: block)
        return Data(bytesNoCopy: start, count: count, deallocator: .custom { _, _ in withExtendedLifetime(owner) {} })
    }

    /// What a closure can hold.
    private final class Owner {
        let block: PooledBlock?

        init(block: consuming PooledBlock?) { self.block = block }
    }

    /// From where pages of their own are worth their while, to where an announcement is not believed.
    private static let pooledLengths = 1 << 20...64 << 20
}
