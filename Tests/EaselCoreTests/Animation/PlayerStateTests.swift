import Testing

@testable import EaselCore

@Suite("Player state: frames and times")
struct PlayerStateTests {
    @Test("each frame is shown for its duration, starting with the first (X155)")
    func times() {
        var projector = Projector([100, 50, 200])
        #expect(projector.state.due == nil)
        projector.play()
        projector.run(to: 500)
        #expect(projector.shown == ["0:0", "100:1", "150:2", "350:0", "450:1", "500:2"])
    }

    @Test("players of equal frame duration synchronise, by at most half a frame")
    func step() {
        for (start, times) in [(74, ["74:0", "100:1", "150:2"]), (76, ["76:0", "150:1", "200:2"])] {
            var projector = Projector([50, 50, 50], keepsStep: true)
            projector.run(to: start)
            projector.play()
            projector.run(to: 200)
            #expect(Array(projector.shown.prefix(3)) == times)
        }
    }

    @Test("a long frame is lengthened or shortened by at most 50 ms to synchronise")
    func longStep() {
        var projector = Projector([5_000, 5_000], keepsStep: true)
        projector.run(to: 160)
        projector.play()
        projector.run(to: 6_000)
        #expect(projector.shown == ["160:0", "5200:1"])
    }

    @Test("each mode has its order of frames (X170)")
    func modes() {
        let orders = PlaybackMode.allCases.map { mode in
            var projector = Projector([10, 10, 10])
            projector.setMode(mode)
            projector.play()
            projector.run(to: 70)
            return projector.shown.map { $0.suffix(1) }.joined()
        }
        #expect(orders == ["01201201", "21021021", "01210121", "21012101"])
    }

    @Test("after the last loop the last frame stays, in every mode (X172)")
    func end() {
        let shown = PlaybackMode.allCases.map { mode in
            var projector = Projector([10, 10, 10], loops: 2)
            projector.setMode(mode)
            projector.play()
            projector.run(to: 1000)
            #expect(projector.finishes == 1 && projector.loops == [1, 2])
            #expect(projector.state.isFinished && !projector.state.isPlaying && projector.state.due == nil)
            return projector.shown.map { $0.suffix(1) }.joined()
        }
        // Reverse ends with frame 0, and a bounce ends at its first frame.
        #expect(shown == ["012012", "210210", "012101210", "210121012"])
    }

    @Test("the last frame is shown for its duration before the end is reported")
    func endTime() {
        var projector = Projector([10, 30], loops: 1)
        projector.play()
        projector.run(to: 39)
        #expect(projector.finishes == 0 && projector.shown == ["0:0", "10:1"])
        projector.run(to: 40)
        #expect(projector.finishes == 1 && projector.shown.count == 2)
    }

    @Test("playing after the end starts again (X172)")
    func again() {
        var projector = Projector([10, 10], loops: 1)
        projector.play()
        projector.run(to: 50)
        projector.play()
        #expect(projector.shown.last == "50:0" && projector.state.cursor.loop == 0)
        projector.run(to: 100)
        #expect(projector.finishes == 2)
    }

    @Test("pausing keeps the frame, the loop and the remaining duration (X172)")
    func pause() {
        var projector = Projector([100, 100])
        projector.play()
        projector.run(to: 330)
        projector.pause()
        #expect(projector.state.due == nil && projector.state.cursor.loop == 1)
        projector.run(to: 5000)
        projector.play()
        projector.run(to: 5069)
        #expect(projector.shown == ["0:0", "100:1", "200:0", "300:1"])
        projector.run(to: 5070)
        #expect(projector.shown.last == "5070:0" && projector.loops == [1, 2])
    }

    @Test("stopping returns to the start and keeps the frame on screen (X172)")
    func stop() {
        var projector = Projector([100, 100])
        projector.play()
        projector.run(to: 330)
        projector.state.stop()
        #expect(projector.state.due == nil && projector.state.cursor == .init())
        #expect(projector.state.currentFrame == 1 && projector.shown.last == "300:1")
        projector.run(to: 1000)
        projector.setMode(.reverse)
        projector.play()
        #expect(projector.shown.last == "1000:1")
        projector.run(to: 1100)
        #expect(projector.shown.last == "1100:0")
    }

    @Test("the rate scales the remaining duration; zero or less stops time (X170)")
    func rate() {
        var projector = Projector([100, 100])
        projector.play()
        projector.run(to: 50)
        projector.setRate(2)
        projector.run(to: 75)
        #expect(projector.shown == ["0:0", "75:1"])
        projector.setRate(-1)
        #expect(projector.state.due == nil && projector.state.rate == 0)
        projector.run(to: 500)
        projector.setRate(.nan)
        #expect(projector.state.due == nil)
        projector.setRate(0.5)
        projector.run(to: 700)
        #expect(projector.shown.last == "700:0")
    }

    @Test("a change of mode continues from the current frame")
    func modeChange() {
        var projector = Projector([10, 10, 10, 10])
        projector.play()
        projector.run(to: 10)
        projector.setMode(.reverse)
        projector.run(to: 40)
        #expect(projector.shown == ["0:0", "10:1", "20:0", "30:3", "40:2"])
    }

    @Test("an invisible player stops time and demands no frames (X175, B100)")
    func visibility() {
        var projector = Projector([100, 100])
        projector.play()
        projector.run(to: 130)
        projector.setVisible(false)
        #expect(projector.state.due == nil && projector.state.demand.upcoming.isEmpty)
        #expect(projector.state.demand.current == 1)
        projector.run(to: 900)
        projector.setVisible(true)
        projector.run(to: 970)
        #expect(projector.shown == ["0:0", "100:1", "970:0"])
    }

    @Test("a single frame is a still image, shown without a timer (B100)")
    func single() {
        var projector = Projector([100])
        projector.play()
        #expect(projector.shown == ["0:0"] && projector.state.due == nil)
    }

    @Test("a loop limit that is already reached ends playback after the current loop (X170)")
    func lowerLimit() {
        var projector = Projector([10, 10])
        projector.play()
        projector.run(to: 75)
        _ = projector.state.setLoopLimit(2, at: projector.now) { _ in true }
        projector.run(to: 200)
        #expect(projector.finishes == 1 && projector.shown.last == "70:1")
    }

    @Test("seeking shows the frame at once, even when paused, and playback continues from it (X173)")
    func seek() {
        var projector = Projector([100, 100, 100, 100])
        projector.seek(to: 2)
        #expect(projector.shown == ["0:2"] && projector.state.due == nil)
        projector.play()
        projector.run(to: 130)
        projector.seek(to: 99)
        projector.run(to: 230)
        #expect(projector.shown == ["0:2", "100:3", "130:3", "230:0"])
    }

    @Test("seeking in reverse continues backwards")
    func seekReverse() {
        var projector = Projector([10, 10, 10])
        projector.setMode(.reverse)
        projector.seek(to: 1)
        projector.play()
        projector.run(to: 20)
        #expect(projector.shown == ["0:1", "10:0", "20:2"])
    }
}
