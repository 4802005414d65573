import Testing

@testable import EaselCore

@Suite("A player's state where frames, or ticks, are late")
struct PlayerLatenessTests {
    @Test("a frame that is not there leaves the old one, and time stands still until it comes (X171)")
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

    @Test("frames that come while another one is waited for change nothing")
    func otherFrame() {
        var projector = Projector([100, 100, 100])
        projector.frames = [0]
        projector.play()
        projector.run(to: 150)
        projector.framesCome([2])
        #expect(projector.shown == ["0:0"])
    }

    @Test("the first frame may be waited for, too")
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

    @Test("late by less than a second, it leaves out what it missed, and keeps to the clock")
    func catchUp() {
        var projector = Projector(Array(repeating: 100, count: 20))
        projector.play()
        projector.run(to: 100)
        projector.sleep(to: 560)
        #expect(projector.shown == ["0:0", "100:1", "560:5"])
        #expect(projector.state.due == .milliseconds(600))
    }

    @Test("left out loops count")
    func missedLoops() {
        var projector = Projector([50, 50], loops: 20)
        projector.play()
        projector.sleep(to: 730)
        #expect(projector.shown == ["0:0", "730:0"] && projector.loops == [7])
        projector.sleep(to: 1730)
        projector.sleep(to: 2600)
        #expect(projector.finishes == 1 && projector.loops.last == 20)
    }

    @Test("late by more, as after a suspension, it goes on where it was")
    func suspension() {
        var projector = Projector(Array(repeating: 100, count: 20))
        projector.play()
        projector.run(to: 100)
        projector.sleep(to: 60_000)
        #expect(projector.shown == ["0:0", "100:1", "60000:2"])
        #expect(projector.state.due == .milliseconds(60_100))
    }

    @Test("catching up goes only as far as frames are there")
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

    @Test("a sought frame that is not there is shown when it comes, though nobody plays (X173)")
    func seekMiss() {
        var projector = Projector([100, 100, 100])
        projector.frames = [0]
        projector.seek(to: 2)
        #expect(projector.state.demand.upcoming == [2] && projector.shown == [])
        projector.framesCome([2])
        #expect(projector.shown == ["0:2"] && projector.state.demand.upcoming == [])
    }

    @Test("a stop takes the wish for frames back")
    func stopMiss() {
        var projector = Projector([100, 100, 100])
        projector.frames = []
        projector.play()
        projector.state.stop()
        #expect(projector.state.demand == FrameDemand())
        projector.framesCome([0])
        #expect(projector.shown == [])
    }

    @Test("the frames that come next are wanted in their order, some ahead, around the end")
    func ahead() {
        var projector = Projector(Array(repeating: 100, count: 30))
        projector.play()
        projector.seek(to: 27)
        #expect(projector.state.demand.upcoming == [28, 29, 0, 1, 2, 3, 4, 5])
        projector.setMode(.bounce)
        #expect(projector.state.demand.upcoming == [28, 29, 27, 26, 25, 24, 23, 22])
    }
}

@Suite("A player's state while its file is arriving (X175)")
struct PlayerArrivalTests {
    @Test("it waits at the last frame that is there, and goes on when more are")
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

    @Test("more frames change nothing of a frame that is on the screen")
    func inTime() {
        var projector = Projector([100, 100], isOpenEnded: true)
        projector.play()
        projector.run(to: 150)
        projector.replace([100, 100, 100])
        projector.run(to: 300)
        #expect(projector.shown == ["0:0", "100:1", "200:2", "300:0"])
    }

    @Test("the end is not known before it is there: reverse begins with what there is")
    func reverse() {
        var projector = Projector([100, 100], isOpenEnded: true)
        projector.setMode(.reverse)
        projector.play()
        projector.run(to: 150)
        projector.replace([100, 100, 100])
        projector.run(to: 300)
        #expect(projector.shown == ["0:0", "100:1", "200:0", "300:2"])
    }

    @Test("one frame of a file that is arriving is not all of it")
    func single() {
        var projector = Projector([100], isOpenEnded: true)
        projector.play()
        projector.run(to: 500)
        projector.replace([100, 100])
        projector.run(to: 600)
        #expect(projector.shown == ["0:0", "500:1", "600:0"])
    }
}
