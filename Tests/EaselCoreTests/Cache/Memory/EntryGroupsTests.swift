import EaselTesting
import Testing

@testable import EaselCore

@Suite("Memory entries: groups (B15)")
struct EntryGroupsTests {
    /// Keys of one group hold their own numbers; the group of a key is its number modulo 3, as a key far off.
    private func group(of key: Int) -> Digest { Digest(1_000 + key % 3) }

    private func store(
        _ value: Int, cost: Int = 1, for key: Int, in entries: inout MemoryEntries<Int>, grouped: Bool = true
    ) {
        var released = Released<Int>()
        entries.store(
            value, cost: cost, for: Digest(key), group: grouped ? group(of: key) : nil, released: &released)
    }

    private func members(_ entries: MemoryEntries<Int>, _ group: Int) -> [Int] {
        entries.members(of: Digest(1_000 + group), at: nil).map(\.value)
    }

    private func entries(cost: Int = 100, count: Int = .max) -> MemoryEntries<Int> {
        MemoryEntries(limits: MemoryLimits(cost: cost, count: count), policy: .leastRecentlyUsed, hashSeed: 1)
    }

    @Test(
        "the members of a group are given the dearest first, in whatever order they came",
        arguments: [[3, 6, 9], [9, 6, 3], [6, 9, 3]])
    func order(keys: [Int]) {
        var entries = entries()
        for key in keys { store(key, cost: key, for: key, in: &entries) }
        store(1, for: 1, in: &entries)
        #expect(members(entries, 0) == [9, 6, 3])
        #expect(members(entries, 1) == [1])
        #expect(members(entries, 2) == [])
    }

    @Test("what goes leaves its group: removed, evicted, all at once, or stored anew without it")
    func leaving() {
        var entries = entries(count: 4)
        for key in [3, 6, 9, 12] { store(key, for: key, in: &entries) }
        _ = entries.remove(Digest(6))
        #expect(Set(members(entries, 0)) == [3, 9, 12])
        store(15, for: 15, in: &entries)
        store(18, for: 18, in: &entries)
        #expect(Set(members(entries, 0)) == [9, 12, 15, 18])
        store(9, for: 9, in: &entries, grouped: false)
        #expect(Set(members(entries, 0)) == [12, 15, 18])
        #expect(entries.isConsistent)
        _ = entries.removeAll()
        #expect(members(entries, 0) == [])
        #expect(entries.groups.memberCount == 0)
    }

    @Test("a member that is overwritten stays one, once, at its new cost")
    func overwritten() {
        var entries = entries()
        store(3, cost: 5, for: 3, in: &entries)
        store(6, cost: 4, for: 6, in: &entries)
        store(30, cost: 1, for: 3, in: &entries)
        #expect(members(entries, 0) == [6, 30])
        #expect(entries.groups.memberCount == 2)
    }

    @Test("one that is too dear to be stored is no member")
    func refused() {
        var entries = entries(cost: 10)
        store(3, cost: 11, for: 3, in: &entries)
        #expect(members(entries, 0) == [])
        #expect(entries.groups.isEmpty)
    }

    @Test("an expired member is not given, and leaves when it is read")
    func expired() {
        var entries = entries()
        var released = Released<Int>()
        let expiry = EntryLifetimes.Expiry(deadline: .seconds(5))
        entries.store(3, cost: 1, for: Digest(3), group: group(of: 3), expiry: expiry, released: &released)
        #expect(entries.members(of: group(of: 3), at: .seconds(4)).map(\.value) == [3])
        #expect(entries.members(of: group(of: 3), at: .seconds(5)).isEmpty)
        #expect(entries.value(for: Digest(3), at: .seconds(5), released: &released) == nil)
        #expect(entries.groups.isEmpty)
    }

    @Test(
        "random operations keep groups and entries in step, and every member within reach",
        arguments: EvictionPolicy.allCases, 1...6)
    func random(policy: EvictionPolicy, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var entries = MemoryEntries<Int>(limits: MemoryLimits(cost: 60, count: 8), policy: policy, hashSeed: 1)
        var grouped: Set<Int> = []
        for _ in 0..<1_000 {
            let key = Int.random(in: 0..<20, using: &random)
            var released = Released<Int>()
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let isGrouped = Bool.random(using: &random)
                let cost = Int.random(in: 0...70, using: &random) / Int.random(in: 1...8, using: &random)
                store(key, cost: cost, for: key, in: &entries, grouped: isGrouped)
                if isGrouped { grouped.insert(key) } else { grouped.remove(key) }
            case 5..<8: _ = entries.value(for: Digest(key), at: nil, released: &released)
            case 8: _ = entries.remove(Digest(key))
            default:
                let count = Int.random(in: 0...8, using: &random)
                entries.trim(to: EntryTarget(cost: .max, count: count), released: &released)
            }
            #expect(entries.isConsistent)
            let present = (0..<20).filter { entries.contains(Digest($0), at: nil, released: &released) }
            let expected = Set(present).intersection(grouped)
            #expect(Set((0..<3).flatMap { members(entries, $0) }) == expected)
            #expect(entries.groups.memberCount == expected.count)
        }
    }
}
