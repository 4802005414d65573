/// The entries of a cache without their values: slots in one flat array, joined by indices, with no object a node.
struct EntryArena {
    /// What is kept of one entry, in 40 bytes.
    struct Slot {
        var digest: Digest
        var cost: Int
        /// The neighbours in the queue that the entry is in. A free slot has the next free one as `older`.
        var newer: Int32 = none
        var older: Int32 = none
        var isUsed = false
        var isInMain = false
        var isFree = false
    }

    /// No slot.
    static var none: Int32 { -1 }
    /// As many as indices can tell apart.
    static var capacity: Int { Int(Int32.max) }

    private var slots: ContiguousArray<Slot> = []
    private var firstFree = none
    private(set) var freeCount = 0
    /// Unknown to whoever chooses the keys: who could tell which keys share a hash could fill the index with them and
    /// make each look-up a walk over all. Multiplying by an odd number at random is a universal hash.
    let hashSeed: UInt64

    init(hashSeed: UInt64) { self.hashSeed = hashSeed | 1 }

    /// How many slots there are, free ones too: what is kept beside an entry is at the same index in its own array.
    var slotCount: Int { slots.count }

    subscript(place: Int32) -> Slot {
        @inline(__always) get { slots[Int(place)] }
        @inline(__always) _modify { yield &slots[Int(place)] }
    }

    /// 32 bits of hash.
    @inline(__always)
    func tag(of digest: Digest) -> UInt32 {
        UInt32(truncatingIfNeeded: (digest.low &* hashSeed) >> 32)
    }

    /// A slot for an entry that is in no queue yet.
    mutating func add(_ digest: Digest, cost: Int) -> Int32 {
        let slot = Slot(digest: digest, cost: cost)
        guard firstFree != Self.none else {
            slots.reserveQuarter()
            slots.append(slot)
            return Int32(truncatingIfNeeded: slots.count - 1)
        }
        let place = firstFree
        firstFree = self[place].older
        freeCount -= 1
        self[place] = slot
        return place
    }

    /// Frees a slot that is in no queue any more. Its digest and cost can be read until the next `add`.
    mutating func remove(_ place: Int32) {
        self[place].isFree = true
        self[place].older = firstFree
        firstFree = place
        freeCount += 1
    }
}

extension ContiguousArray {
    /// Makes room for one more: by a quarter where there is none, since doubling would waste half of a large cache's arrays.
    @inlinable
    mutating func reserveQuarter() {
        if count == capacity { reserveCapacity(Swift.max(16, count + count / 4)) }
    }
}
