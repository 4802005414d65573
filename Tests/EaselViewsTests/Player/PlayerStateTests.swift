import Testing

@testable import EaselCore
@testable import EaselViews

@Suite("Player state: frames and times")
struct PlayerStateTests {
    @Test("each frame is shown for its duration, starting with the first (X155)")
    func times() {
        var simulation = PlayerSimulation([100, 50, 200])
        #expect(simulation.state.due == nil)
        simulation.play()
        simulation.run(to: 500)
        #expect(simulation.shown == ["0:0", "100:1", "150:2", "350:0", "450:1", "500:2"])
    }

    @Test("players of equal frame duration synchronise, by at most half a frame")
    func step() {
        for (start, times) in [(74, ["74:0", "100:1", "150:2"]), (76, ["76:0", "150:1", "200:2"])] {
            var simulation = PlayerSimulation([50, 50, 50], alignsToGrid: true)
            simulation.run(to: start)
            simulation.play()
            simulation.run(to: 200)
            #expect(Array(simulation.shown.prefix(3)) == times)
        }
    }

    @Test("a long frame is lengthened or shortened by at most 50 ms to synchronise")
    func longStep() {
        var simulation = PlayerSimulation([5_000, 5_000], alignsToGrid: true)
        simulation.run(to: 160)
        simulation.play()
        simulation.run(to: 6_000)
        #expect(simulation.shown == ["160:0", "5200:1"])
    }

    @Test("each mode has its order of frames (X170)")
    func modes() {
        let orders = PlaybackMode.allCases.map { mode in
            var simulation = PlayerSimulation([10, 10, 10])
            simulation.setMode(mode)
            simulation.play()
            simulation.run(to: 70)
            return simulation.shown.map { $0.suffix(1) }.joined()
        }
        #expect(orders == ["01201201", "21021021", "01210121", "21012101"])
    }

    @Test("after the last loop the last frame stays, in every mode (X172)")
    func end() {
        let frames = PlaybackMode.allCases.map { mode in
            var simulation = PlayerSimulation([10, 10, 10], loops: 2)
            simulation.setMode(mode)
            simulation.play()
            simulation.run(to: 1000)
            #expect(simulation.finishes == 1 && simulation.loops == [1, 2])
            #expect(simulation.state.isFinished && !simulation.state.isPlaying && simulation.state.due == nil)
            return simulation.shown.map { $0.suffix(1) }.joined()
        }
        // Reverse ends with frame 0, and a bounce ends at its first frame.
        #expect(frames == ["012012", "210210", "012101210", "210121012"])
    }

    @Test("the last frame is shown for its duration before the end is reported")
    func endTime() {
        var simulation = PlayerSimulation([10, 30], loops: 1)
        simulation.play()
        simulation.run(to: 39)
        #expect(simulation.finishes == 0 && simulation.shown == ["0:0", "10:1"])
        simulation.run(to: 40)
        #expect(simulation.finishes == 1 && simulation.shown.count == 2)
    }

    @Test("playing after the end starts again (X172)")
    func again() {
        var simulation = PlayerSimulation([10, 10], loops: 1)
        simulation.play()
        simulation.run(to: 50)
        simulation.play()
        #expect(simulation.shown.last == "50:0" && simulation.state.cursor.loop == 0)
        simulation.run(to: 100)
        #expect(simulation.finishes == 2)
    }

    @Test("pausing keeps the frame, the loop and the remaining duration (X172)")
    func pause() {
        var simulation = PlayerSimulation([100, 100])
        simulation.play()
        simulation.run(to: 330)
        simulation.pause()
        #expect(simulation.state.due == nil && simulation.state.cursor.loop == 1)
        simulation.run(to: 5000)
        simulation.play()
        simulation.run(to: 5069)
        #expect(simulation.shown == ["0:0", "100:1", "200:0", "300:1"])
        simulation.run(to: 5070)
        #expect(simulation.shown.last == "5070:0" && simulation.loops == [1, 2])
    }

    @Test("stopping returns to the start and keeps the frame on screen (X172)")
    func stop() {
        var simulation = PlayerSimulation([100, 100])
        simulation.play()
        simulation.run(to: 330)
        simulation.state.stop()
        #expect(simulation.state.due == nil && simulation.state.cursor == .init())
        #expect(simulation.state.currentFrame == 1 && simulation.shown.last == "300:1")
        simulation.run(to: 1000)
        simulation.setMode(.reverse)
        simulation.play()
        #expect(simulation.shown.last == "1000:1")
        simulation.run(to: 1100)
        #expect(simulation.shown.last == "1100:0")
    }

    @Test("the rate scales the remaining duration; zero or less stops time (X170)")
    func rate() {
        var simulation = PlayerSimulation([100, 100])
        simulation.play()
        simulation.run(to: 50)
        simulation.setRate(2)
        simulation.run(to: 75)
        #expect(simulation.shown == ["0:0", "75:1"])
        simulation.setRate(-1)
        #expect(simulation.state.due == nil && simulation.state.rate == 0)
        simulation.run(to: 500)
        simulation.setRate(.nan)
        #expect(simulation.state.due == nil)
        simulation.setRate(0.5)
        simulation.run(to: 700)
        #expect(simulation.shown.last == "700:0")
    }

    @Test("a change of mode continues from the current frame")
    func modeChange() {
        var simulation = PlayerSimulation([10, 10, 10, 10])
        simulation.play()
        simulation.run(to: 10)
        simulation.setMode(.reverse)
        simulation.run(to: 40)
        #expect(simulation.shown == ["0:0", "10:1", "20:0", "30:3", "40:2"])
    }

    @Test("an invisible player stops time and demands no frames (X175, B100)")
    func visibility() {
        var simulation = PlayerSimulation([100, 100])
        simulation.play()
        simulation.run(to: 130)
        simulation.setVisible(false)
        #expect(simulation.state.due == nil && simulation.state.demand.upcoming.isEmpty)
        #expect(simulation.state.demand.current == 1)
        simulation.run(to: 900)
        simulation.setVisible(true)
        simulation.run(to: 970)
        #expect(simulation.shown == ["0:0", "100:1", "970:0"])
    }

    @Test("a single frame is a still image, shown without a timer (B100)")
    func single() {
        var simulation = PlayerSimulation([100])
        simulation.play()
        #expect(simulation.shown == ["0:0"] && simulation.state.due == nil)
    }

    @Test("a loop limit that is already reached ends playback after the current loop (X170)")
    func lowerLimit() {
        var simulation = PlayerSimulation([10, 10])
        simulation.play()
        simulation.run(to: 75)
        _ = simulation.state.setLoopLimit(2, at: simulation.now) { _ in true }
        simulation.run(to: 200)
        #expect(simulation.finishes == 1 && simulation.shown.last == "70:1")
    }

    @Test("seeking shows the frame at once, even when paused, and playback continues from it (X173)")
    func seek() {
        var simulation = PlayerSimulation([100, 100, 100, 100])
        simulation.seek(to: 2)
        #expect(simulation.shown == ["0:2"] && simulation.state.due == nil)
        simulation.play()
        simulation.run(to: 130)
        simulation.seek(to: 99)
        simulation.run(to: 230)
        #expect(simulation.shown == ["0:2", "100:3", "130:3", "230:0"])
    }

    @Test("seeking in reverse continues backwards")
    func seekReverse() {
        var simulation = PlayerSimulation([10, 10, 10])
        simulation.setMode(.reverse)
        simulation.seek(to: 1)
        simulation.play()
        simulation.run(to: 20)
        #expect(simulation.shown == ["0:1", "10:0", "20:2"])
    }
}
