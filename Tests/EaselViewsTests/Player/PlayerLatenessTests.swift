import Testing

@testable import EaselCore
@testable import EaselViews

@Suite("Player state: late frames and ticks")
struct PlayerLatenessTests {
    @Test("without the next frame the old one stays, and time stops until it arrives (X171)")
    func miss() {
        var simulation = PlayerSimulation([100, 100, 100])
        simulation.frames = [0, 2]
        simulation.play()
        simulation.run(to: 450)
        #expect(simulation.shown == ["0:0"] && simulation.state.due == nil)
        #expect(simulation.state.demand.upcoming.first == 1 && simulation.state.demand.isWaiting)
        simulation.addFrames([1])
        #expect(simulation.shown == ["0:0", "450:1"] && !simulation.state.demand.isWaiting)
        simulation.run(to: 550)
        #expect(simulation.shown.last == "550:2")
    }

    @Test("other frames that arrive during a wait have no effect")
    func otherFrame() {
        var simulation = PlayerSimulation([100, 100, 100])
        simulation.frames = [0]
        simulation.play()
        simulation.run(to: 150)
        simulation.addFrames([2])
        #expect(simulation.shown == ["0:0"])
    }

    @Test("a player can wait for the first frame")
    func firstFrame() {
        var simulation = PlayerSimulation([100, 100])
        simulation.frames = []
        simulation.play()
        simulation.run(to: 300)
        #expect(simulation.shown == [] && simulation.state.demand.upcoming == [0, 1])
        simulation.addFrames([0, 1])
        simulation.run(to: 400)
        #expect(simulation.shown == ["300:0", "400:1"])
    }

    @Test("after a delay of less than a second the player skips frames and keeps its schedule")
    func catchUp() {
        var simulation = PlayerSimulation(Array(repeating: 100, count: 20))
        simulation.play()
        simulation.run(to: 100)
        simulation.sleep(to: 560)
        #expect(simulation.shown == ["0:0", "100:1", "560:5"])
        #expect(simulation.state.due == .milliseconds(600))
    }

    @Test("skipped loops are counted")
    func missedLoops() {
        var simulation = PlayerSimulation([50, 50], loops: 20)
        simulation.play()
        simulation.sleep(to: 730)
        #expect(simulation.shown == ["0:0", "730:0"] && simulation.loops == [7])
        simulation.sleep(to: 1730)
        simulation.sleep(to: 2600)
        #expect(simulation.finishes == 1 && simulation.loops.last == 20)
    }

    @Test("after a longer delay, as after a suspension, the player continues with the next frame")
    func suspension() {
        var simulation = PlayerSimulation(Array(repeating: 100, count: 20))
        simulation.play()
        simulation.run(to: 100)
        simulation.sleep(to: 60_000)
        #expect(simulation.shown == ["0:0", "100:1", "60000:2"])
        #expect(simulation.state.due == .milliseconds(60_100))
    }

    @Test("a player that catches up skips only to an available frame")
    func catchUpMiss() {
        var simulation = PlayerSimulation(Array(repeating: 100, count: 20))
        simulation.frames = [0, 1, 2, 3]
        simulation.play()
        simulation.sleep(to: 650)
        #expect(simulation.shown == ["0:0", "650:3"])
        #expect(simulation.state.due == .milliseconds(750))
        simulation.run(to: 800)
        #expect(simulation.state.demand.isWaiting && simulation.state.demand.upcoming.first == 4)
    }

    @Test("seeking to a missing frame shows it when it arrives, even when paused (X173)")
    func seekMiss() {
        var simulation = PlayerSimulation([100, 100, 100])
        simulation.frames = [0]
        simulation.seek(to: 2)
        #expect(simulation.state.demand.upcoming == [2] && simulation.shown == [])
        simulation.addFrames([2])
        #expect(simulation.shown == ["0:2"] && simulation.state.demand.upcoming == [])
    }

    @Test("stopping clears the demand for frames")
    func stopMiss() {
        var simulation = PlayerSimulation([100, 100, 100])
        simulation.frames = []
        simulation.play()
        simulation.state.stop()
        #expect(simulation.state.demand == FrameDemand())
        simulation.addFrames([0])
        #expect(simulation.shown == [])
    }

    @Test("the demand lists upcoming frames in order, across the end")
    func ahead() {
        var simulation = PlayerSimulation(Array(repeating: 100, count: 30))
        simulation.play()
        simulation.seek(to: 27)
        #expect(simulation.state.demand.upcoming == [28, 29, 0, 1, 2, 3, 4, 5])
        simulation.setMode(.bounce)
        #expect(simulation.state.demand.upcoming == [28, 29, 27, 26, 25, 24, 23, 22])
    }
}

@Suite("Player state: arriving file (X175)")
struct PlayerArrivalTests {
    @Test("the player waits at the last available frame and continues when more arrive")
    func grows() {
        var simulation = PlayerSimulation([100, 100], loops: 1, isOpenEnded: true)
        simulation.play()
        simulation.run(to: 900)
        #expect(simulation.shown == ["0:0", "100:1"] && simulation.state.due == nil && simulation.finishes == 0)
        simulation.replace([100, 100, 100, 100], isOpenEnded: true)
        simulation.run(to: 1100)
        #expect(simulation.shown == ["0:0", "100:1", "900:2", "1000:3"])
        simulation.replace([100, 100, 100, 100])
        simulation.run(to: 1200)
        #expect(simulation.finishes == 1)
    }

    @Test("frames that arrive do not affect the current one")
    func inTime() {
        var simulation = PlayerSimulation([100, 100], isOpenEnded: true)
        simulation.play()
        simulation.run(to: 150)
        simulation.replace([100, 100, 100])
        simulation.run(to: 300)
        #expect(simulation.shown == ["0:0", "100:1", "200:2", "300:0"])
    }

    @Test("in reverse the player starts at the last frame available so far")
    func reverse() {
        var simulation = PlayerSimulation([100, 100], isOpenEnded: true)
        simulation.setMode(.reverse)
        simulation.play()
        simulation.run(to: 150)
        simulation.replace([100, 100, 100])
        simulation.run(to: 300)
        #expect(simulation.shown == ["0:0", "100:1", "200:0", "300:2"])
    }

    @Test("a single frame of an arriving file is not the whole animation")
    func single() {
        var simulation = PlayerSimulation([100], isOpenEnded: true)
        simulation.play()
        simulation.run(to: 500)
        simulation.replace([100, 100])
        simulation.run(to: 600)
        #expect(simulation.shown == ["0:0", "500:1", "600:0"])
    }
}
