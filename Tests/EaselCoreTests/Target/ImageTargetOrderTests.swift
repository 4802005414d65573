import EaselTesting
import Testing

@testable import EaselCore

@Suite("ImageTarget: order", .timeLimit(.minutes(1)))
@MainActor
struct ImageTargetOrderTests {
    @Test("S022 to S034, X194, R021: placeholder, indicator, progress, stop, picture, completion")
    func wholeOrder() async throws {
        let fixture = TargetFixture(holding: 7)
        let view = fixture.view
        view.indicator = TestIndicator(view)
        view.log = []
        view.setImage(
            with: fixture.url(7), manager: fixture.manager,
            progress: { [weak view] in view?.log.append("\($0.received)") },
            completion: view.completion)
        await until { view.log.contains("5") }
        fixture.open(7)
        await until { view.log.count == 7 }
        #expect(view.log == ["nothing", "start", "fraction 0.5", "5", "stop", "7", "completed 7"])
    }

    @Test("P018: a picture in memory is there before the call returns, with nothing before it")
    func inMemory() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        await fixture.inMemory(7)
        view.indicator = TestIndicator(view)
        view.log = []
        view.setImage(
            with: fixture.url(7), placeholder: .color(.white), manager: fixture.manager, completion: view.completion)
        #expect(view.log == ["7", "completed 7"])
    }
}
