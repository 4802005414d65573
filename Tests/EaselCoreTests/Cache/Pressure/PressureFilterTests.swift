import Testing

@testable import EaselCore

@Suite("Memory pressure: which reports are news")
struct PressureFilterTests {
    /// The times in seconds at which a report of this kind gets through.
    private func admitted(_ reports: [(MemoryPressure, Int)]) -> [Int] {
        var filter = PressureFilter()
        return reports.filter { filter.admits($0.0, at: .seconds($0.1)) }.map(\.1)
    }

    @Test("the kernel's word of every two seconds is passed on every ten")
    func lasting() {
        let reports = (0..<12).map { (MemoryPressure.warning, $0 * 2) }
        #expect(admitted(reports) == [0, 10, 20])
    }

    @Test("what is graver gets through at once, what is not waits")
    func graver() {
        #expect(
            admitted([(.warning, 0), (.critical, 2), (.warning, 4), (.critical, 6), (.warning, 11), (.warning, 12)])
                == [0, 2, 12])
    }

    @Test("a time from before the last report is none to trip over")
    func backwards() {
        #expect(admitted([(.warning, 100), (.warning, 3)]) == [100])
    }
}
