import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite("Preview maker (S080, B93)", .timeLimit(.minutes(1)))
struct PreviewMakerTests {
    private let clock = ManualClock()
    private let inputs = Recorder<Int>()

    private func makePreviewMaker(taking duration: Duration = .zero) -> PreviewMaker<Int> {
        PreviewMaker(interval: .milliseconds(100), clock: LoadClock(clock)) { [clock, inputs] input in
            inputs.record(input)
            if duration > .zero { try? await clock.sleep(for: duration) }
        }
    }

    @Test("the first preview is made at once, and later ones begin at least one interval apart (R013)")
    func interval() async {
        let maker = makePreviewMaker()
        maker.didReceive(1)
        await inputs.wait(for: 1)
        await clock.waitForSleepers()
        maker.didReceive(2)
        clock.advance(by: .milliseconds(99))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .milliseconds(1))
        await inputs.wait(for: 2)
        #expect(inputs.events == [1, 2])
        maker.end()
    }

    @Test("previews are made one at a time, and inputs received meanwhile make only one more, of the latest (X142)")
    func oneAtATime() async {
        let maker = makePreviewMaker(taking: .milliseconds(10))
        maker.didReceive(0)
        await clock.waitForSleepers()
        for input in 1...9 { maker.didReceive(input) }
        #expect(inputs.events == [0])
        clock.advance(by: .milliseconds(10))
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(90))
        await inputs.wait(for: 2)
        #expect(inputs.events == [0, 9])
        maker.end()
    }

    @Test("after a slow preview the maker waits for as long as it took")
    func slow() async {
        let maker = makePreviewMaker(taking: .milliseconds(400))
        maker.didReceive(1)
        await clock.waitForSleepers()
        maker.didReceive(2)
        clock.advance(by: .milliseconds(400))
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(399))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .milliseconds(1))
        await inputs.wait(for: 2)
        maker.end()
    }

    @Test("after the end no preview is made")
    func end() async throws {
        let maker = makePreviewMaker()
        maker.didReceive(1)
        await inputs.wait(for: 1)
        await clock.waitForSleepers()
        maker.didReceive(2)
        maker.end()
        maker.didReceive(3)
        try await until { clock.sleeperCount == 0 }
        clock.advance(by: .seconds(1))
        #expect(inputs.events == [1])
    }
}
