import Testing

@testable import EaselCore

@Suite("Load options")
struct LoadOptionsTests {
    private static let all: [LoadOptions] = [
        .retryFailed, .refreshCached, .allowInvalidCertificates, .scaleDownLargeImages, .queryMemoryData,
        .fromCacheOnly,
        .fromLoaderOnly, .waitStoreCache, .avoidCoalescing, .allowPartial, .progressive, .stopWhenSufficient,
        .transformAnimatedImage, .continueInBackground,
    ]

    @Test("each option is one bit (X001, S197)")
    func distinct() {
        #expect(Self.all.allSatisfy { $0.rawValue.nonzeroBitCount == 1 })
        #expect(Set(Self.all).count == Self.all.count)
        #expect(Self.all.reduce(into: LoadOptions()) { $0.formUnion($1) }.rawValue.nonzeroBitCount == Self.all.count)
    }

    @Test("priorities are ordered by urgency")
    func priorities() {
        #expect(LoadPriority.allCases == [.low, .normal, .high])
        #expect(LoadPriority.allCases == LoadPriority.allCases.sorted())
        #expect(LoadPriority.low < .normal && .normal < LoadPriority.high)
    }

    @Test("cache levels are memory and disk, as separate bits (X063)")
    func levels() {
        #expect(CacheLevels.all == [.memory, .disk])
        #expect(CacheLevels.memory.isDisjoint(with: .disk))
    }
}
