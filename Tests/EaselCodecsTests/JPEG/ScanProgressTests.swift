import Testing

@testable import EaselCodecs

@Suite("JPEG: which scans are shown")
struct ScanProgressTests {
    @Test("the first scan is shown as it comes, in one pass, then each that is whole")
    func order() {
        var progress = ScanProgress()
        let scans = [0, 0, 1, 2, 2, 5, 5]
        let starts = scans.map { progress.startsPass(scans: $0, bytes: 100, hasEnded: false) }
        #expect(starts == [true, false, false, true, false, true, false])
    }

    @Test("after sixteen passes each has to be paid with bytes, but the last one")
    func bombs() {
        var progress = ScanProgress()
        let shown = (1...180).filter { progress.startsPass(scans: $0, bytes: $0 * 100, hasEnded: false) }
        #expect(shown == Array(1...16))
        let paid = progress.startsPass(scans: 181, bytes: 1600 + ScanProgress.bytesPerPass, hasEnded: false)
        #expect(paid)
        let isEnough = [false, true].map { progress.startsPass(scans: 182, bytes: 68_000, hasEnded: $0) }
        #expect(isEnough == [false, true])
    }
}
