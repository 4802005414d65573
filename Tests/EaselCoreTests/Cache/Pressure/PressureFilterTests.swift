import Testing

@testable import EaselCore

@Suite("Memory pressure: filtering of reports")
struct PressureFilterTests {
    /// Returns the times in seconds of the reports that pass the filter.
    private func admit(_ reports: [(MemoryPressure, Int)]) -> [Int] {
        var filter = PressureFilter()
        return reports.filter { filter.admits($0.0, at: .seconds($0.1)) }.map(\.1)
    }

    @Test("lasting pressure, reported every two seconds, passes every ten")
    func lasting() {
        let reports = (0..<12).map { (MemoryPressure.warning, $0 * 2) }
        #expect(admit(reports) == [0, 10, 20])
    }

    @Test("a more severe report passes at once, a less severe one waits")
    func graver() {
        #expect(
            admit([(.warning, 0), (.critical, 2), (.warning, 4), (.critical, 6), (.warning, 11), (.warning, 12)])
                == [0, 2, 12])
    }

    @Test("a time before the last report does not pass")
    func backwards() {
        #expect(admit([(.warning, 100), (.warning, 3)]) == [100])
    }
}
