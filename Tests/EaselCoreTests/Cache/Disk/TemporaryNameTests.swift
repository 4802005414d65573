import Testing

@testable import EaselCore

@Suite("Temporary names of entries that are being written")
struct TemporaryNameTests {
    @Test("tell the process that writes, and are given once")
    func names() {
        let names = (0..<100).map { _ in TemporaryName.next() }
        #expect(Set(names).count == 100)
        #expect(names.allSatisfy { TemporaryName.owner(of: $0) == processNumber })
        #expect(names.allSatisfy { $0.hasPrefix(".tmp-\(processNumber)-") })
    }

    @Test(
        "no other name has an owner (B51)",
        arguments: [
            "", ".tmp-", ".tmp-1", ".tmp-1-", ".tmp--1", ".tmp-0-1", ".tmp--5-1", ".tmp-1-2-3", ".tmp-1-x", ".tmp-x-1",
            ".tmp-1--2", "tmp-1-2", ".TMP-1-2", ".tmp-2147483648-1", ".tmp- 1-2", ".tmp-1-18446744073709551616",
        ])
    func others(name: String) {
        #expect(TemporaryName.owner(of: name) == nil)
    }

    @Test("are left over when their owner is dead, and whoever it is after a day (B51)")
    func leftOver() {
        let now = 10_000_000.0
        let day = TemporaryName.longestLife
        func isLeftOver(_ owner: Int32, age: Double) -> Bool {
            TemporaryName.isLeftOver(owner: owner, modified: now - age, now: now)
        }
        #expect(isLeftOver(.max, age: 0))
        // The first process of a system lives as long as the system.
        for owner in [processNumber, 1] {
            #expect(!isLeftOver(owner, age: day - 1))
            #expect(isLeftOver(owner, age: day))
            // The clock went back: a file of the future is nobody's proof of death.
            #expect(!isLeftOver(owner, age: -day))
        }
    }
}
