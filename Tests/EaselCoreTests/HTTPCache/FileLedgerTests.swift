import EaselTesting
import FoundationEssentials
import Testing

@testable import EaselCore

@Suite("File ledger: which version of a file is current")
struct FileLedgerTests {
    private static let first = provenance(1, received: 0)
    private static let second = provenance(2, received: 10)

    private static func provenance(_ content: UInt8, received: Double?) -> Provenance {
        var provenance = Provenance(
            response: received.map { ResponseFixture.response(["ETag": "\"\(content)\""], received: $0) })
        provenance.version = FileVersion(of: Data([content]))
        return provenance
    }

    @Test("every image is current until a file is replaced")
    func nothing() {
        let ledger = FileLedger()
        #expect(ledger.isCurrent(0, "a"))
        _ = ledger.accept(Self.first, for: "a", isRefresh: false)
        #expect(ledger.isCurrent(0, "a") && !ledger.hasReplacements)
    }

    @Test("an image of a replaced file is not current, but images of other files are")
    func replaced() {
        let ledger = FileLedger()
        let old = ledger.accept(Self.first, for: "a", isRefresh: false)
        let new = ledger.accept(Self.second, for: "a", isRefresh: false)
        #expect(!ledger.isCurrent(old, "a") && ledger.isCurrent(new, "a"))
        #expect(ledger.isCurrent(old, "b"))
    }

    @Test("the same bytes replace nothing")
    func same() {
        let ledger = FileLedger()
        let old = ledger.accept(Self.first, for: "a", isRefresh: false)
        _ = ledger.accept(Self.first, for: "a", isRefresh: true)
        #expect(ledger.isCurrent(old, "a"))
    }

    @Test("a refresh of an unknown file counts as a replacement")
    func unknownRefresh() {
        let ledger = FileLedger()
        let before = ledger.stamp()
        let new = ledger.accept(Self.first, for: "a", isRefresh: true)
        #expect(!ledger.isCurrent(before, "a") && ledger.isCurrent(new, "a"))
    }

    @Test("a file on disk that is older than the known version is not used")
    func olderOnDisk() {
        let ledger = FileLedger()
        _ = ledger.accept(Self.second, for: "a", isRefresh: false)
        let isUsed = ledger.recordCached(Self.first, for: "a")
        #expect(!isUsed)
        #expect(ledger.version(of: "a") == Self.second.version)
    }

    @Test("a newer file on disk, stored by another process, replaces the known version")
    func newerOnDisk() {
        let ledger = FileLedger()
        let old = ledger.accept(Self.first, for: "a", isRefresh: false)
        let isUsed = ledger.recordCached(Self.second, for: "a")
        #expect(isUsed)
        #expect(!ledger.isCurrent(old, "a") && ledger.version(of: "a") == Self.second.version)
    }

    @Test("the latest response for a version is used")
    func lastAnswer() {
        let ledger = FileLedger()
        _ = ledger.recordCached(Self.first, for: "a")
        let later = ResponseFixture.response(["ETag": "\"1\""], received: 50)
        ledger.confirm(later, for: "a")
        let isUsed = ledger.recordCached(Self.first, for: "a")
        #expect(isUsed)
        #expect(ledger.response(of: "a") == later)
    }

    @Test("an image of a forgotten key is outdated if a forgotten key was replaced later")
    func forgotten() {
        let ledger = FileLedger(capacity: 4)
        let old = ledger.accept(Self.first, for: "a", isRefresh: false)
        _ = ledger.accept(Self.second, for: "a", isRefresh: false)
        for number in 0..<20 { _ = ledger.recordCached(Self.first, for: CacheKey("\(number)")) }
        #expect(!ledger.contains("a"))
        #expect(!ledger.isCurrent(old, "a"))
        let now = ledger.stamp()
        #expect(ledger.isCurrent(now, "a"))
        let remembered = (0..<20).filter { ledger.contains(CacheKey("\($0)")) }
        #expect(remembered.count < 8)
    }

    @Test("an image of a replaced file is never current, in any order of events (1000 seeded runs)")
    func model() {
        for seed in 0..<1000 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let ledger = FileLedger(capacity: 3)
            var versions: [CacheKey: UInt8] = [:]
            var images: [(key: CacheKey, stamp: UInt64, version: UInt8)] = []
            for _ in 0..<60 {
                let key = CacheKey("\(Int.random(in: 0..<8, using: &generator))")
                let version = UInt8.random(in: 0..<3, using: &generator)
                let stamp = ledger.accept(Self.provenance(version, received: 0), for: key, isRefresh: true)
                versions[key] = version
                images.append((key, stamp, version))
                for image in images where ledger.isCurrent(image.stamp, image.key) {
                    #expect(image.version == versions[image.key], "seed \(seed)")
                }
            }
        }
    }
}
