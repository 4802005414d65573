extension MemoryEntries {
    /// One value of a group.
    struct Member {
        var digest: Digest
        var value: Value
        var cost: Int
    }

    /// Stores a value, as a member of a group where one is given; one that is too dear to be stored is one still where somebody holds it.
    mutating func store(
        _ value: consuming Value, cost: Int, for digest: Digest, group: Digest?, expiry: EntryLifetimes.Expiry? = nil,
        released: inout Released<Value>
    ) {
        store(value, cost: cost, for: digest, expiry: expiry, released: &released)
        if let group, holds(digest) { groups.join(group, digest) }
    }

    /// The values of a group that can be read, those in the weak level too, the dearest first (B15). Looking is no use.
    func members(of group: Digest, at now: Duration?) -> [Member] {
        groups.members(of: group).compactMap { digest in
            switch table.find(digest, at: now) {
            case .entry(let place):
                return values[Int(place)].map { Member(digest: digest, value: $0, cost: table.cost(at: place)) }
            case .expired: return nil
            case .nothing:
                return weak.value(of: digest, at: now).map { value in
                    Member(digest: digest, value: value, cost: weak.cost(of: digest) ?? 0)
                }
            }
        }.sorted { $0.cost > $1.cost }
    }

    /// Whether something is known of an entry, in either level.
    private func holds(_ digest: Digest) -> Bool {
        table.place(of: digest) != nil || weak.cost(of: digest) != nil
    }

    /// Whether every member is an entry of one of the levels. For tests.
    var hasConsistentGroups: Bool {
        groups.isConsistent(where: holds)
    }
}

extension MemoryEntries.Member: Sendable where Value: Sendable {}
