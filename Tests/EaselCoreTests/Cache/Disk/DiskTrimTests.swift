import Testing

@testable import EaselCore

@Suite("Disk trim: order of removal")
struct DiskTrimTests {
    private static let now = 1_000_000.0
    private static let years = 20 * 365 * 86_400.0

    private static func trim(
        at now: Double = now, _ configure: (inout DiskCache.Configuration) -> Void = { _ in }
    ) -> DiskTrim {
        var limits = DiskCache.Configuration(maximumBytes: 1_000, maximumAge: .seconds(100))
        configure(&limits)
        return DiskTrim(limits: limits, now: now)
    }

    /// An entry with ages in seconds. A negative age is a date in the future.
    private static func entry(
        _ name: String, bytes: Int = 10, accessed: Double = 0, modified: Double = 0, created: Double? = nil
    ) -> DiskTrim.Entry {
        DiskTrim.Entry(
            name: name, facts: .make(bytes: bytes, accessed: now - accessed, modified: now - modified),
            created: created.map { now - $0 })
    }

    @Test("an entry as old as the limit is removed, a younger one is not (S132)")
    func age() {
        let entries = [
            Self.entry("older", accessed: 101), Self.entry("as old", accessed: 100),
            Self.entry("younger", accessed: 99),
        ]
        let plan = Self.trim().plan(entries)
        #expect(plan.expired.map(\.name) == ["older", "as old"])
        #expect(plan.rest.map(\.name) == ["younger"])
        #expect(plan.bytes == 10)
    }

    @Test("the age counts from the last use, the last change or the store (X073)")
    func expiration() {
        let entries = [
            Self.entry("used long ago", accessed: 200, modified: 1, created: 1),
            Self.entry("changed long ago", accessed: 1, modified: 200, created: 1),
            Self.entry("stored long ago", accessed: 1, modified: 1, created: 200),
        ]
        for (expiration, gone) in [
            (DiskCache.Expiration.access, "used"), (.modification, "changed"), (.creation, "stored"),
        ] {
            #expect(Self.trim { $0.expiration = expiration }.plan(entries).expired.map(\.name) == [gone + " long ago"])
        }
    }

    @Test("an entry without a creation date is as old as its last change")
    func withoutCreation() {
        let trim = Self.trim { $0.expiration = .creation }
        #expect(trim.plan([Self.entry("a", accessed: 1, modified: 200)]).expired.count == 1)
        #expect(trim.plan([Self.entry("a", accessed: 200, modified: 1)]).expired.isEmpty)
    }

    @Test("with a negative maximum age no entry expires, with zero every entry does (X071)")
    func unusualAges() {
        let old = Self.entry("old", accessed: Self.years)
        let new = Self.entry("new", accessed: 0)
        #expect(Self.trim { $0.maximumAge = .forever }.plan([old, new]).expired.isEmpty)
        #expect(Self.trim { $0.maximumAge = .seconds(0) }.plan([old, new]).expired.count == 2)
    }

    @Test("an entry dated years in the future counts as new and is removed last")
    func clockBack() {
        let trim = Self.trim()
        let entries = [Self.entry("ahead", accessed: -Self.years), Self.entry("now", accessed: 1)]
        #expect(trim.plan(entries).expired.isEmpty)
        #expect(trim.sort(entries).map(\.name) == ["now", "ahead"])
    }

    @Test("with the clock years ahead every entry expires, unless the maximum age is negative")
    func clockAhead() {
        let entries = [Self.entry("a", accessed: 1), Self.entry("b", accessed: -5)]
        #expect(Self.trim(at: Self.now + Self.years).plan(entries).expired.count == 2)
        #expect(Self.trim(at: Self.now + Self.years) { $0.maximumAge = .forever }.plan(entries).expired.isEmpty)
    }

    @Test("an entry larger than the cache is removed first (B35)")
    func tooLarge() {
        let plan = Self.trim().plan([Self.entry("huge", bytes: 1_001), Self.entry("whole", bytes: 1_000)])
        #expect(plan.expired.map(\.name) == ["huge"])
        #expect(plan.bytes == 1_000)
        #expect(Self.trim { $0.maximumBytes = 0 }.plan([Self.entry("huge", bytes: .max / 2)]).expired.isEmpty)
    }

    @Test("a limit is exceeded only above it, in bytes or entries, and never if it is zero or less (X072)")
    func over() {
        let trim = Self.trim { $0.maximumCount = 5 }
        #expect(!trim.isOver(bytes: 1_000, count: 5))
        #expect(trim.isOver(bytes: 1_001, count: 0))
        #expect(trim.isOver(bytes: 0, count: 6))
        for limit in [0, -1] {
            let unlimited = Self.trim {
                $0.maximumBytes = ByteCount(limit)
                $0.maximumCount = limit
            }
            #expect(!unlimited.isOver(bytes: .max, count: .max))
            #expect(unlimited.isEnough(bytes: .max, count: .max))
        }
    }

    @Test("a trim ends when less than half of each limit is left (S183, X105)")
    func enough() {
        let trim = Self.trim { $0.maximumCount = 4 }
        #expect(trim.isEnough(bytes: 499, count: 1))
        #expect(!trim.isEnough(bytes: 500, count: 1))
        #expect(!trim.isEnough(bytes: 499, count: 2))
    }

    @Test(
        "an invalid share is clamped to the nearest valid one",
        arguments: [(-1, 0), (0, 0), (2, 1), (.infinity, 1), (-.infinity, 0), (.nan, 0)] as [(Double, Double)])
    func share(configured: Double, used: Double) {
        let trim = Self.trim { $0.keptShare = configured }
        let same = Self.trim { $0.keptShare = used }
        for bytes in [0, 1, 999, 1_000, 1_001] {
            #expect(trim.isEnough(bytes: bytes, count: 1) == same.isEnough(bytes: bytes, count: 1), "\(bytes) bytes")
        }
        #expect(trim.isEnough(bytes: 0, count: 0))
    }

    @Test("the oldest entries are removed first, by the date of the expiration (S134)")
    func oldest() {
        let entries = [
            Self.entry("a", accessed: 1, modified: 3, created: 2),
            Self.entry("b", accessed: 2, modified: 1, created: 3),
            Self.entry("c", accessed: 3, modified: 2, created: 1),
        ]
        for (expiration, order) in [
            (DiskCache.Expiration.access, ["c", "b", "a"]), (.modification, ["a", "c", "b"]),
            (.creation, ["b", "a", "c"]),
        ] {
            #expect(Self.trim { $0.expiration = expiration }.sort(entries).map(\.name) == order)
        }
    }

    @Test("the least recently used entries are removed first with that policy, whatever the expiration (B33)")
    func leastRecentlyUsed() {
        let entries = [Self.entry("a", accessed: 1, modified: 9), Self.entry("b", accessed: 2, modified: 1)]
        for expiration in DiskCache.Expiration.allCases {
            let trim = Self.trim {
                $0.eviction = .leastRecentlyUsed
                $0.expiration = expiration
            }
            #expect(trim.sort(entries).map(\.name) == ["b", "a"])
        }
    }

    @Test("the largest entries are removed first with that policy, and of equal ones the least recently used")
    func largest() {
        let entries = [
            Self.entry("small", bytes: 1, accessed: 50), Self.entry("large", bytes: 3, accessed: 1),
            Self.entry("new", bytes: 2, accessed: 1), Self.entry("old", bytes: 2, accessed: 9),
        ]
        #expect(Self.trim { $0.eviction = .largest }.sort(entries).map(\.name) == ["large", "old", "new", "small"])
    }

    @Test("a plan without entries is empty")
    func empty() {
        let plan = Self.trim().plan([])
        #expect(plan.expired.isEmpty && plan.rest.isEmpty && plan.bytes == 0)
        #expect(Self.trim().sort([]).isEmpty)
    }
}
