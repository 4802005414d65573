import Testing

@testable import EaselCore

@Suite("Least recently used: which goes first")
struct LeastRecentlyUsedTests {
    @Test("the order of use is the order in which they go (B9)")
    func order() {
        var cache = NumberedEntries(full: 4, .leastRecentlyUsed)
        for key in [2, 0, 3, 1] { _ = cache.value(for: key) }
        #expect(cache.trim(count: 0) == [2, 0, 3, 1])
    }

    @Test("lowering a limit evicts at once, in order (B7)")
    func limits() {
        var cache = NumberedEntries(full: 5, .leastRecentlyUsed)
        #expect(cache.setLimits(cost: 100, count: 3) == [0, 1])
        #expect(cache.setLimits(cost: 1, count: 3) == [2, 3])
        #expect(cache.keys == [4])
        #expect(cache.entries.isConsistent)
    }
}

@Suite("S3-FIFO: which goes first")
struct S3FIFOTests {
    @Test("what is seen once does not flush what is used again")
    func scan() {
        var cache = NumberedEntries<Int>(.s3FIFO, cost: 100, count: 10)
        for key in 0..<7 {
            cache.store(key, for: key)
            _ = cache.value(for: key)
        }
        for key in 20..<80 { cache.store(key, for: key) }
        #expect(cache.keys == [0, 1, 2, 3, 4, 5, 6, 77, 78, 79])
        #expect(cache.entries.isConsistent)
    }

    @Test("what is not used again leaves the main queue too, in the end")
    func aging() {
        var cache = NumberedEntries<Int>(.s3FIFO, cost: 100, count: 10)
        for key in 0..<7 {
            cache.store(key, for: key)
            _ = cache.value(for: key)
        }
        for key in 20..<80 {
            cache.store(key, for: key)
            _ = cache.value(for: key)
        }
        #expect(cache.keys.allSatisfy { $0 >= 20 })
        #expect(cache.entries.isConsistent)
    }

    @Test("what comes back soon after it was evicted is kept for long")
    func ghost() {
        var cache = NumberedEntries(full: 10, .s3FIFO)
        #expect(cache.store(10, for: 10) == [0])
        cache.store(0, for: 0)
        for key in 20..<80 { cache.store(key, for: key) }
        #expect(cache.contains(0))
        #expect(!cache.contains(10))
    }

    @Test("what comes back after three times the cache was evicted is new")
    func lateGhost() {
        var cache = NumberedEntries(full: 10, .s3FIFO)
        for key in 10..<41 { cache.store(key, for: key) }
        cache.store(0, for: 0)
        for key in 50..<60 { cache.store(key, for: key) }
        #expect(!cache.contains(0))
    }

    @Test("the small queue has three tenths of the cost")
    func smallQueue() {
        var cache = NumberedEntries<Int>(.s3FIFO, cost: 100)
        for key in 0..<10 {
            cache.store(key, cost: 10, for: key)
            _ = cache.value(for: key)
        }
        // All are promoted when the first has to go; from then on what is new has room for three.
        for key in 10..<20 { cache.store(key, cost: 10, for: key) }
        #expect(cache.keys.filter { $0 >= 10 } == [17, 18, 19])
    }
}
