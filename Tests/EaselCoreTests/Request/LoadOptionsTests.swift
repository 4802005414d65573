import Testing

@testable import EaselCore

@Suite("Load options")
struct LoadOptionsTests {
    private static let all: [LoadOptions] = [
        .retryFailed, .refreshCached, .allowInvalidCertificates, .scaleDownLargeImages, .queryMemoryData,
        .fromCacheOnly,
        .fromLoaderOnly, .waitStoreCache, .avoidCoalescing, .allowPartial, .progressive, .stopWhenSufficient,
        .transformAnimatedImage, .lowPriority, .highPriority, .cacheMemoryOnly, .handleCookies, .continueInBackground,
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
        #expect(CacheLevels.none.isEmpty)
    }

    @Test("lowPriority and highPriority set the priority field (S078, S085, S090, X128)")
    func priorityOptions() throws {
        let expected: [(LoadOptions, LoadPriority)] = [
            ([], .normal), (.lowPriority, .low), (.highPriority, .high), ([.lowPriority, .highPriority], .high),
        ]
        for (options, priority) in expected {
            let request = try DownloaderFixture.request { $0.options = options }.withOptionsInFields
            #expect(request.priority == priority)
            #expect(request.options.isEmpty)
        }
        let own = try DownloaderFixture.request { $0.priority = .high }
        #expect(own.withOptionsInFields == own)
    }

    @Test("cacheMemoryOnly removes the disk from both stores only (S079, S098, X002)")
    func cacheMemoryOnly() throws {
        let request = try DownloaderFixture.request { $0.options = .cacheMemoryOnly }.withOptionsInFields
        let field = try DownloaderFixture.request {
            $0.cache.store = .memory
            $0.cache.storeOriginal = .none
        }
        #expect(request == field)
        #expect(request.cache.query == .all && request.cache.queryOriginal == .disk)
    }

    @Test("handleCookies sets its field, also for the keys (S083)")
    func handleCookies() throws {
        let option = try DownloaderFixture.request { $0.options = .handleCookies }
        let field = try DownloaderFixture.request { $0.http.handlesCookies = true }
        #expect(option.withOptionsInFields == field)
        #expect(option.key == field.key && option.originalKey == field.originalKey)
    }
}
