import EaselTesting
import Testing

@testable import EaselCore

@Suite("Disk usage: the counter")
struct DiskUsageTests {
    private static func entry(_ name: String, bytes: Int) -> DiskTrim.Entry {
        DiskTrim.Entry(name: name, facts: .make(bytes: bytes))
    }

    @Test("the counter follows stores, replacements and removals")
    func follows() {
        var usage = DiskUsage()
        usage.countStore("a", bytes: 10, replacing: nil)
        usage.countStore("b", bytes: 5, replacing: nil)
        usage.countStore("a", bytes: 3, replacing: 10)
        #expect((usage.bytes, usage.count) == (8, 2))
        usage.countRemoval("b", bytes: 5)
        usage.countTrim(bytes: 3)
        #expect((usage.bytes, usage.count) == (0, 0))
    }

    @Test("the counter is known only after a scan")
    func known() {
        var usage = DiskUsage()
        usage.countStore("a", bytes: 10, replacing: nil)
        #expect(!usage.isKnown)
        usage.beginScan()
        usage.endScan([Self.entry("a", bytes: 10), Self.entry("before", bytes: 7)]) { $0 == "a" ? 10 : nil }
        #expect(usage.isKnown)
        #expect((usage.bytes, usage.count) == (17, 2))
    }

    @Test("a scan is due at first, not during one, and again when other caches may have written as much")
    func due() {
        var usage = DiskUsage()
        #expect(usage.isScanDue(limit: 0))
        usage.beginScan()
        #expect(!usage.isScanDue(limit: 0))
        usage.endScan([]) { _ in nil }
        #expect(!usage.isScanDue(limit: 80_000_000))
        usage.countStore("a", bytes: 10_000_000 - 1, replacing: nil)
        #expect(!usage.isScanDue(limit: 80_000_000))
        usage.countStore("b", bytes: 1, replacing: nil)
        #expect(usage.isScanDue(limit: 80_000_000))
        #expect(!usage.isScanDue(limit: 0))
    }

    @Test("in a small cache a scan is due after a megabyte, not after a few stores")
    func dueWhenSmall() {
        var usage = DiskUsage()
        usage.beginScan()
        usage.endScan([]) { _ in nil }
        usage.countStore("a", bytes: 1_000_000 - 1, replacing: nil)
        #expect(!usage.isScanDue(limit: 1_000))
        usage.countStore("a", bytes: 1, replacing: 1_000_000 - 1)
        #expect(usage.isScanDue(limit: 1_000))
    }

    @Test("a reset clears the counter")
    func reset() {
        var usage = DiskUsage()
        usage.countStore("a", bytes: 10, replacing: nil)
        usage.beginScan()
        usage.endScan([Self.entry("a", bytes: 10)]) { _ in 10 }
        usage = DiskUsage()
        #expect((usage.bytes, usage.count, usage.isKnown) == (0, 0, false))
    }

    @Test("a scan begun before a reset does not count for the new folder")
    func resetWhileScanning() {
        var usage = DiskUsage()
        usage.beginScan()
        usage = DiskUsage()
        usage.countStore("new", bytes: 3, replacing: nil)
        usage.endScan([Self.entry("elsewhere", bytes: 10)]) { _ in nil }
        #expect((usage.bytes, usage.count) == (3, 1))
        #expect(!usage.isKnown)
        #expect(usage.isScanDue(limit: 0))
    }

    @Test("a scan during stores and removals ends with the exact size (B54)", arguments: 0..<200)
    func model(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var model = UsageModel()
        for _ in 0..<Int.random(in: 0..<6, using: &random) { model.foreignStore(&random) }
        for _ in 0..<3 {
            model.scan(&random)
            #expect((model.usage.bytes, model.usage.count) == (model.bytes, model.files.count))
            #expect(model.usage.isKnown)
            // After a scan the counter follows changes.
            for _ in 0..<8 { model.change(&random) }
            #expect((model.usage.bytes, model.usage.count) == (model.bytes, model.files.count))
            if Bool.random(using: &random) { model.foreignStore(&random) }
        }
    }
}

/// A folder as a dictionary, with the counter under test.
private struct UsageModel {
    var usage = DiskUsage()
    private(set) var files: [String: Int] = [:]

    var bytes: Int { files.values.reduce(0, +) }

    /// Stores or removes a file by this cache.
    mutating func change(_ random: inout SeededGenerator) {
        let name = "\(Int.random(in: 0..<8, using: &random))"
        if Int.random(in: 0..<3, using: &random) > 0 {
            let bytes = Int.random(in: 0..<100, using: &random)
            usage.countStore(name, bytes: bytes, replacing: files.updateValue(bytes, forKey: name))
        } else if let bytes = files.removeValue(forKey: name) {
            usage.countRemoval(name, bytes: bytes)
        }
    }

    /// Stores a file by another process, without a change of the counter.
    mutating func foreignStore(_ random: inout SeededGenerator) {
        files["\(Int.random(in: 0..<8, using: &random))"] = Int.random(in: 0..<100, using: &random)
    }

    /// Scans file by file during changes, and trims some of the listed files.
    mutating func scan(_ random: inout SeededGenerator) {
        usage.beginScan()
        var listing: [DiskTrim.Entry] = []
        for number in (0..<8).shuffled(using: &random) {
            let name = "\(number)"
            if let bytes = files[name] { listing.append(.init(name: name, facts: .make(bytes: bytes))) }
            if Bool.random(using: &random) { change(&random) }
        }
        var kept: [DiskTrim.Entry] = []
        for entry in listing {
            // A trim removes only an unchanged file.
            if Int.random(in: 0..<4, using: &random) == 0, files[entry.name] == entry.facts.byteCount {
                files[entry.name] = nil
                usage.countTrim(bytes: entry.facts.byteCount)
            } else {
                kept.append(entry)
            }
            if Int.random(in: 0..<4, using: &random) == 0 { change(&random) }
        }
        let now = files
        usage.endScan(kept) { now[$0] }
    }
}
