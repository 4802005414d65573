/// How much a cache in memory may hold.
struct MemoryLimits: Sendable {
    /// The most that the costs may sum up to; 0 disables the cache (B6).
    var cost: Int {
        didSet { cost = max(0, cost) }
    }
    /// The most entries; 0 disables the cache (B5).
    var count: Int {
        didSet { count = max(0, count) }
    }
    /// The most that one entry may take of `cost`, from 0 to 1 (B4).
    var entryShare: Double {
        didSet { entryShare = Self.clamped(entryShare) }
    }

    init(cost: Int, count: Int = .max, entryShare: Double = 1) {
        self.cost = max(0, cost)
        self.count = max(0, count)
        self.entryShare = Self.clamped(entryShare)
    }

    /// What the whole cache may hold.
    var target: EntryTarget {
        EntryTarget(cost: cost, count: cost == 0 ? 0 : min(count, EntryArena.capacity))
    }

    /// Whether nothing at all may be stored.
    var isDisabled: Bool { cost == 0 || count == 0 }

    /// Whether an entry of this cost may be stored at all.
    func admits(cost: Int) -> Bool {
        guard !isDisabled, entryShare > 0 else { return false }
        // A share of 1 is not computed: the largest integers have no equal among floating-point numbers.
        return cost <= (entryShare < 1 ? Int(Double(self.cost) * entryShare) : self.cost)
    }

    /// How much of the whole cache an entry of this cost takes, by the limit that is the tighter for it: at most 1, also
    /// where the limit has been lowered since it was stored.
    func share(ofCost cost: Int) -> Double {
        min(max(Double(cost) / Double(max(self.cost, 1)), 1 / Double(max(count, 1))), 1)
    }

    /// What is not a number admits nothing, as a negative share does.
    private static func clamped(_ share: Double) -> Double { share > 0 ? min(share, 1) : 0 }
}

/// How much is to be left.
@usableFromInline
struct EntryTarget: Sendable {
    var cost: Int
    var count: Int
}
