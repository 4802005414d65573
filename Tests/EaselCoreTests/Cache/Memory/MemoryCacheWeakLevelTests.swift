import EaselTesting
import Testing

@testable import EaselCore

@Suite("Memory cache: evicted values that are still referenced (X097, B15)")
struct MemoryCacheWeakLevelTests {
    private typealias Held = HeldNumber

    /// The weak references of the cache under test.
    private let references = HeldNumber.References()

    private func cache(maximumCost: Int = 10, clock: ManualClock = ManualClock()) -> MemoryCache<Held> {
        var configuration = MemoryCache<Held>.Configuration(maximumCost: maximumCost)
        configuration.clock = LoadClock(clock)
        return MemoryCache(keepingHeldValues: configuration)
    }

    @Test("a referenced value is found after its eviction and stored again at its cost (S182)")
    func findsLiveObject() {
        let cache = cache()
        let value = Held(0, references)
        cache.store(value, cost: 4, for: "a")
        cache.trim(toCost: 0)
        #expect(cache.count == 0)
        #expect(references.count == 1)
        #expect(cache.contains("a"))
        #expect(cache.value(for: "a")?.object === value.object)
        #expect(cache.totalCost == 4)
        #expect(references.count == 0)
        let statistics = cache.statistics
        #expect([statistics.weakHits, statistics.hits, statistics.misses, statistics.insertions] == [1, 0, 0, 1])
    }

    @Test("an evicted value without references is a miss and leaves no weak reference")
    func releasedObject() {
        let cache = cache()
        cache.store(Held(0, references), cost: 4, for: "a")
        cache.trim(toCost: 0)
        #expect(cache.value(for: "a") == nil)
        #expect(references.count == 0)
    }

    @Test("an evicted value is a miss once its last reference is released")
    func released() {
        let cache = cache()
        var value: Held? = Held()
        cache.store(value ?? Held(), cost: 4, for: "a")
        cache.trim(toCost: 0)
        #expect(cache.contains("a"))
        value = nil
        #expect(!cache.contains("a"))
        #expect(cache.value(for: "a") == nil)
        #expect(cache.statistics.misses == 1)
        #expect(value == nil)
    }

    @Test("remove returns an evicted value and removes its weak reference")
    func remove() {
        let cache = cache()
        let value = Held()
        cache.store(value, cost: 4, for: "a")
        cache.trim(toCost: 0)
        #expect(cache.remove("a")?.object === value.object)
        #expect(cache.value(for: "a") == nil)
    }

    @Test("removeAll removes weak references")
    func removeAll() {
        let cache = cache()
        let value = Held()
        cache.store(value, cost: 4, for: "a")
        cache.trim(toCost: 0)
        cache.removeAll()
        #expect(cache.value(for: "a") == nil)
        withExtendedLifetime(value) {}
    }

    @Test("a store of another value for the key removes the weak reference")
    func overwritten() {
        let cache = cache()
        let (old, new) = (Held(0, references), Held(1, references))
        cache.store(old, cost: 4, for: "a")
        cache.trim(toCost: 0)
        cache.store(new, cost: 4, for: "a")
        #expect(cache.value(for: "a")?.object === new.object)
        #expect(references.count == 0)
        withExtendedLifetime(old) {}
    }

    @Test("a value that costs too much to be stored is found while it is referenced, and still not stored")
    func tooDear() {
        let cache = cache()
        let value = Held()
        cache.store(value, cost: 11, for: "a")
        for _ in 0..<2 { #expect(cache.value(for: "a")?.object === value.object) }
        #expect(cache.count == 0)
        #expect(cache["a"]?.cost == 11)
    }

    @Test("a disabled cache finds no referenced value")
    func disabled() {
        let cache = cache(maximumCost: 0)
        let value = Held()
        cache.store(value, cost: 0, for: "a")
        #expect(cache.value(for: "a") == nil)
        withExtendedLifetime(value) {}
    }

    @Test("a cache that is disabled later finds no referenced value")
    func disabledLater() {
        let cache = cache()
        let value = Held()
        cache.store(value, cost: 4, for: "a")
        cache.maximumCost = 0
        #expect(!cache.contains("a"))
        #expect(cache.value(for: "a") == nil)
        withExtendedLifetime(value) {}
    }

    @Test("an expired value is not found, even if it is referenced")
    func expired() {
        let clock = ManualClock()
        let cache = cache(clock: clock)
        let value = Held()
        cache.store(value, cost: 4, for: "a", lifetime: .seconds(10))
        cache.trim(toCost: 0)
        clock.advance(by: .seconds(10))
        #expect(!cache.contains("a"))
        #expect(cache.value(for: "a") == nil)
        withExtendedLifetime(value) {}
    }

    @Test("weak references to released values do not accumulate")
    func sweep() {
        let cache = cache(maximumCost: 1)
        var values: [Held] = []
        for number in 0..<5_000 {
            values.append(Held(number, references))
            if values.count > 10 { values.removeFirst() }
            cache.store(values[values.count - 1], cost: 1, for: CacheKey("\(number)", fileExtension: ""))
        }
        #expect((1...64).contains(references.count))
        #expect(cache.value(for: "4992")?.object === values[2].object)
    }

    @Test("without weak references an evicted value is a miss")
    func off() {
        let cache = MemoryCache<Held>(maximumCost: 10)
        let value = Held()
        cache.store(value, cost: 4, for: "a")
        cache.trim(toCost: 0)
        #expect(cache.value(for: "a") == nil)
        withExtendedLifetime(value) {}
    }

    @Test("a displayed image survives memory pressure in an image cache, with its metadata (X096)")
    func image() throws {
        let cache = ImageCache(folder: nil as String?)
        var displayed: DecodedImage? = try TestImage.gradient(10, 5).image()
        displayed?.scale = 2
        if let displayed { cache.store(displayed, for: "a") }
        cache.trimMemory(for: .critical)
        #expect(cache.memory.count == 0)
        #expect(cache.image(for: "a")?.scale == 2)
        #expect(cache.image(for: "a")?.size == PixelSize(10, 5))
        #expect(cache.memory.totalCost == displayed?.memoryCost)
        cache.trimMemory(for: .critical)
        displayed = nil
        #expect(cache.image(for: "a") == nil)
    }

    @Test("an image cache can be configured without weak references")
    func imageOff() throws {
        let cache = ImageCache(folder: nil as String?) { $0.memory.keepsHeldImages = false }
        let displayed = try TestImage.gradient(10, 5).image()
        cache.store(displayed, for: "a")
        cache.memory.trim(toCount: 0)
        #expect(cache.image(for: "a") == nil)
        #expect(displayed.size.width == 10)
    }
}
