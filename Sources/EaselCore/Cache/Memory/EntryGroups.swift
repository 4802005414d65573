/// Which entries belong together, as the sizes of one picture do: for each group its members (B15).
///
/// Members are in no order and each is in one group at most. A group without members takes no room. Nobody asks here on a
/// hit, and a cache that has no groups pays a look at a count.
@usableFromInline
struct EntryGroups: Sendable {
    /// Nearly every group has one member, which needs no array of its own.
    private enum Members: Sendable {
        case one(Digest)
        case several([Digest])

        var digests: [Digest] {
            switch self {
            case .one(let digest): [digest]
            case .several(let digests): digests
            }
        }
    }

    private var members: [Digest: Members] = [:]
    private var groups: [Digest: Digest] = [:]

    /// Whether there is no member at all.
    @usableFromInline var isEmpty: Bool { groups.isEmpty }
    /// How many entries are in a group.
    var memberCount: Int { groups.count }

    /// The members of a group.
    func members(of group: Digest) -> [Digest] { members[group]?.digests ?? [] }

    /// Puts an entry into a group, and takes it out of the one that it was in.
    mutating func join(_ group: Digest, _ digest: Digest) {
        guard groups[digest] != group else { return }
        leave(digest)
        groups[digest] = group
        if let others = members[group]?.digests {
            members[group] = .several(others + [digest])
        } else {
            members[group] = .one(digest)
        }
    }

    /// Takes an entry out of its group, if it is in one.
    mutating func leave(_ digest: Digest) {
        guard !groups.isEmpty, let group = groups.removeValue(forKey: digest) else { return }
        let rest = members(of: group).filter { $0 != digest }
        members[group] = rest.isEmpty ? nil : rest.count == 1 ? .one(rest[0]) : .several(rest)
    }

    /// Whether both directions agree, and every member is one of those that `exists` accepts. For tests.
    func isConsistent(where exists: (Digest) -> Bool) -> Bool {
        members.values.reduce(0) { $0 + $1.digests.count } == groups.count
            && groups.allSatisfy { digest, group in members(of: group).contains(digest) && exists(digest) }
    }
}
