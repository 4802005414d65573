import Testing

@testable import EaselCore

@Suite("Player state: late frames and ticks")
struct PlayerLatenessTests {
    @Test("without the next frame the old one stays, and time stops until it arrives (X171)")
    func miss() {
        var projector = Projector([100, 100, 100])
        projector.frames = [0, 2]
        projector.play()
        projector.run(to: 450)
        #expect(projector.shown == ["0:0"] && projector.state.due == nil)
        #expect(projector.state.demand.upcoming.first == 1 && projector.state.demand.isWaiting)
        projector.framesCome([1])
        #expect(projector.shown == ["0:0", "450:1"] && !projector.state.demand.isWaiting)
        projector.run(to: 550)
        #expect(projector.shown.last == "550:2")
    }

    @Test("other frames that arrive during a wait have no effect")
    func otherFrame() {
        var projector = Projector([100, 100, 100])
        projector.frames = [0]
        projector.play()
        projector.run(to: 150)
        projector.framesCome([2])
        #expect(projector.shown == ["0:0"])
    }

    @Test("a player can wait for the first frame")
    func firstFrame() {
        var projector = Projector([100, 100])
        projector.frames = []
        projector.play()
        projector.run(to: 300)
        #expect(projector.shown == [] && projector.state.demand.upcoming == [0, 1])
        projector.framesCome([0, 1])
        projector.run(to: 400)
        #expect(projector.shown == ["300:0", "400:1"])
    }

    @Test("after a delay of less than a second the player skips frames and keeps its schedule")
    func catchUp() {
        var projector = Projector(Array(repeating: 100, count: 20))
        projector.play()
        projector.run(to: 100)
        projector.sleep(to: 560)
        #expect(projector.shown == ["0:0", "100:1", "560:5"])
        #expect(projector.state.due == .milliseconds(600))
    }

    @Test("skipped loops are counted")
    func missedLoops() {
        var projector = Projector([50, 50], loops: 20)
        projector.play()
        projector.sleep(to: 730)
        #expect(projector.shown == ["0:0", "730:0"] && projector.loops == [7])
        projector.sleep(to: 1730)
        projector.sleep(to: 2600)
        #expect(projector.finishes == 1 && projector.loops.last == 20)
    }

    @Test("after a longer delay, as after a suspension, the player continues with the next frame")
    func suspension() {
        var projector = Projector(Array(repeating: 100, count: 20))
        projector.play()
        projector.run(to: 100)
        projector.sleep(to: 60_000)
        #expect(projector.shown == ["0:0", "100:1", "60000:2"])
        #expect(projector.state.due == .milliseconds(60_100))
    }

    @Test("a player that catches up skips only to an available frame")
    func catchUpMiss() {
        var projector = Projector(Array(repeating: 100, count: 20))
        projector.frames = [0, 1, 2, 3]
        projector.play()
        projector.sleep(to: 650)
        #expect(projector.shown == ["0:0", "650:3"])
        #expect(projector.state.due == .milliseconds(750))
        projector.run(to: 800)
        #expect(projector.state.demand.isWaiting && projector.state.demand.upcoming.first == 4)
    }

    @Test("seeking to a missing frame shows it when it arrives, even when paused (X173)")
    func seekMiss() {
        var projector = Projector([100, 100, 100])
        projector.frames = [0]
        projector.seek(to: 2)
        #expect(projector.state.demand.upcoming == [2] && projector.shown == [])
        projector.framesCome([2])
        #expect(projector.shown == ["0:2"] && projector.state.demand.upcoming == [])
    }

    @Test("stopping clears the demand for frames")
    func stopMiss() {
        var projector = Projector([100, 100, 100])
        projector.frames = []
        projector.play()
        projector.state.stop()
        #expect(projector.state.demand == FrameDemand())
        projector.framesCome([0])
        #expect(projector.shown == [])
    }

    @Test("the demand lists upcoming frames in order, across the end")
    func ahead() {
        var projector = Projector(Array(repeating: 100, count: 30))
        projector.play()
        projector.seek(to: 27)
        #expect(projector.state.demand.upcoming == [28, 29, 0, 1, 2, 3, 4, 5])
        projector.setMode(.bounce)
        #expect(projector.state.demand.upcoming == [28, 29, 27, 26, 25, 24, 23, 22])
    }
}

@Suite("Player state: arriving file (X175)")
struct PlayerArrivalTests {
    @Test("the player waits at the last available frame and continues when more arrive")
    func grows() {
        var projector = Projector([100, 100], loops: 1, isOpenEnded: true)
        projector.play()
        projector.run(to: 900)
        #expect(projector.shown == ["0:0", "100:1"] && projector.state.due == nil && projector.finishes == 0)
        projector.replace([100, 100, 100, 100], isOpenEnded: true)
        projector.run(to: 1100)
        #expect(projector.shown == ["0:0", "100:1", "900:2", "1000:3"])
        projector.replace([100, 100, 100, 100])
        projector.run(to: 1200)
        #expect(projector.finishes == 1)
    }

    @Test("frames that arrive do not affect the current one")
    func inTime() {
        var projector = Projector([100, 100], isOpenEnded: true)
        projector.play()
        projector.run(to: 150)
        projector.replace([100, 100, 100])
        projector.run(to: 300)
        #expect(projector.shown == ["0:0", "100:1", "200:2", "300:0"])
    }

    @Test("in reverse the player starts at the last frame available so far")
    func reverse() {
        var projector = Projector([100, 100], isOpenEnded: true)
        projector.setMode(.reverse)
        projector.play()
        projector.run(to: 150)
        projector.replace([100, 100, 100])
        projector.run(to: 300)
        #expect(projector.shown == ["0:0", "100:1", "200:0", "300:2"])
    }

    @Test("a single frame of an arriving file is not the whole animation")
    func single() {
        var projector = Projector([100], isOpenEnded: true)
        projector.play()
        projector.run(to: 500)
        projector.replace([100, 100])
        projector.run(to: 600)
        #expect(projector.shown == ["0:0", "500:1", "600:0"])
    }
}
