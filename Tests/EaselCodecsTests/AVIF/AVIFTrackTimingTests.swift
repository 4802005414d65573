#if AVIF
import Foundation
import Testing

@testable import EaselCodecs

@Suite("AVIF: timing of a track")
struct AVIFTrackTimingTests {
    /// Two frames of 50 ms and one of 200 ms, in thousandths of a second.
    private let durations = [Duration.milliseconds(50), .milliseconds(50), .milliseconds(200)]

    @Test(
        "a repeating edit list plays until the end of the track's duration", arguments: [(300, 1), (900, 3), (901, 4)])
    func repeats(total: Int, loops: Int) {
        let timing = timing(of: movie(total: total, edits: edits(flags: 1, segment: 300)))
        #expect(timing.durations == durations)
        #expect(timing.loopCount == loops)
    }

    @Test("an unlimited duration plays indefinitely")
    func endless() {
        #expect(timing(of: movie(total: 0xFFFF_FFFF, edits: edits(flags: 1, segment: 300))).loopCount == 0)
    }

    @Test("a non-repeating edit list plays once")
    func playsOnce() {
        #expect(timing(of: movie(total: 900, edits: edits(flags: 0, segment: 300))).loopCount == 1)
    }

    @Test("a track without an edit list plays indefinitely (X154)")
    func noEdits() {
        #expect(timing(of: movie(total: 900, edits: [])).loopCount == 0)
    }

    @Test("frames without a duration last 100 ms (X155), and surplus durations are dropped")
    func count() {
        let movie = movie(total: 300, edits: [])
        #expect(timing(of: movie, frameCount: 5).durations == durations + [.milliseconds(100), .milliseconds(100)])
        #expect(timing(of: movie, frameCount: 1).durations == [.milliseconds(50)])
        #expect(timing(of: [], frameCount: 1).durations == [.milliseconds(100)])
    }

    @Test("an impossible frame count is ignored")
    func hostileCount() {
        let runs = box("stts", [0, 0, 0, 0] + long(1) + long(0xFFFF_FFFF) + long(50))
        #expect(timing(of: movie(total: 300, edits: [], runs: runs)).durations.count == 3)
    }

    @Test("the alpha track is ignored")
    func alphaTrack() {
        let alpha = box("trak", box("tref", box("auxl", long(1))) + media(box("stts", [0, 0, 0, 0] + long(0))))
        let movie = box("moov", alpha + track(total: 300, edits: [], runs: runs))
        #expect(timing(of: movie).durations == durations)
    }

    private func timing(of file: [UInt8], frameCount: Int = 3) -> AVIFTrackTiming {
        AVIFTrackTiming(file.span, frameCount: frameCount)
    }

    private func movie(total: Int, edits: [UInt8], runs: [UInt8]? = nil) -> [UInt8] {
        box("ftyp", Array("avis".utf8)) + box("moov", track(total: total, edits: edits, runs: runs ?? self.runs))
    }

    private func track(total: Int, edits: [UInt8], runs: [UInt8]) -> [UInt8] {
        let header = box("tkhd", [0, 0, 0, 0] + long(0) + long(0) + long(1) + long(0) + long(total))
        return box("trak", header + edits + media(runs))
    }

    private func media(_ runs: [UInt8]) -> [UInt8] {
        let header = box("mdhd", [0, 0, 0, 0] + long(0) + long(0) + long(1000) + long(0))
        let formats = box("stsd", [0, 0, 0, 0] + long(1) + box("av01", []))
        return box("mdia", header + box("minf", box("stbl", formats + runs)))
    }

    private var runs: [UInt8] {
        box("stts", [0, 0, 0, 0] + long(2) + long(2) + long(50) + long(1) + long(200))
    }

    private func edits(flags: UInt8, segment: Int) -> [UInt8] {
        box("edts", box("elst", [0, 0, 0, flags] + long(1) + long(segment) + long(0) + long(0x10000)))
    }

    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        long(content.count + 8) + Array(type.utf8) + content
    }

    private func long(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
#endif
