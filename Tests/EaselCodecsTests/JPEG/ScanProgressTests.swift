import Testing

@testable import EaselCodecs

@Suite("JPEG: scans that are drawn")
struct ScanProgressTests {
    @Test("each decoded scan is drawn once")
    func order() {
        var progress = ScanProgress()
        let scans = [0, 0, 1, 2, 2, 5, 5]
        let starts = scans.map { progress.startPass(scans: $0, bytes: 100, hasEnded: false) }
        #expect(starts == [false, false, true, true, false, true, false])
    }

    @Test("after sixteen passes, each requires a number of new bytes, except the last one")
    func bombs() {
        var progress = ScanProgress()
        let shown = (1...180).filter { progress.startPass(scans: $0, bytes: $0 * 100, hasEnded: false) }
        #expect(shown == Array(1...16))
        let catchesUp = progress.startPass(scans: 181, bytes: 1600 + ScanProgress.bytesPerPass, hasEnded: false)
        #expect(catchesUp)
        let isEnough = [false, true].map { progress.startPass(scans: 182, bytes: 68_000, hasEnded: $0) }
        #expect(isEnough == [false, true])
    }
}
