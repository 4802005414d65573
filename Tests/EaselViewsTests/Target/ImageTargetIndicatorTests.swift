import EaselTesting
import FoundationEssentials
import Testing

@testable import EaselCore
@testable import EaselViews

@Suite("ImageTarget: indicators", .timeLimit(.minutes(1)))
@MainActor
struct ImageTargetIndicatorTests {
    private func calls(_ view: TestView) -> [String] { view.log.filter { ["start", "stop"].contains($0) } }

    @Test("S045: there is no indicator by default, and it stops before the image is shown")
    func startsAndStops() async throws {
        let fixture = TargetFixture(holding: 1)
        let view = fixture.view
        #expect(view.indicator == nil)
        view.indicator = TestIndicator(view)
        view.setImage(with: fixture.url(1), manager: fixture.manager)
        #expect(calls(view) == ["start"])
        fixture.open(1)
        try await until { view.image.name == "1" }
        #expect(Array(view.log.suffix(2)) == ["stop", "1"])
    }

    @Test("S046: the indicator starts after the placeholder and before any result of the load")
    func startsBehindPlaceholder() {
        let fixture = TargetFixture(holding: 1)
        let view = fixture.view
        view.indicator = TestIndicator(view)
        view.setImage(with: fixture.url(1), placeholder: .color(.white), manager: fixture.manager)
        #expect(Array(view.log.prefix(3)) == ["indicator none to new", "255", "start"])
    }

    @Test("the indicator keeps running when its slot loads another image")
    func runsOn() async {
        let fixture = TargetFixture(holding: 1, 2)
        let view = fixture.view
        view.indicator = TestIndicator(view)
        for number in [1, 2] { view.setImage(with: fixture.url(number), manager: fixture.manager) }
        #expect(calls(view) == ["start"])
        view.cancelImageLoad()
        #expect(calls(view) == ["start", "stop"])
    }

    @Test("with several loading slots the indicator runs until the last one ends")
    func severalSlots() async throws {
        let fixture = TargetFixture(holding: 1, 2)
        let view = fixture.view
        view.indicator = TestIndicator(view)
        view.setImage(with: fixture.url(1), manager: fixture.manager)
        view.setImage(with: fixture.url(2), in: .background, manager: fixture.manager)
        fixture.open(1)
        try await until { view.image.name == "1" }
        #expect(calls(view) == ["start"])
        fixture.open(2)
        try await until { view.images[.background].name == "2" }
        #expect(calls(view) == ["start", "stop"])
    }

    @Test("X192: the indicator receives the progress from 0 to 1")
    func fraction() {
        let state = ImageTargetState()
        let view = TestView()
        state.connect(to: view)
        state.setIndicator(TestIndicator(view))
        state.startIndicator(for: .image)
        for received in [-5, 0, 5, 20] {
            state.updateIndicator(for: .image, LoadProgress(received: received, expected: 10))
        }
        state.updateIndicator(for: .background, LoadProgress(received: 7, expected: 10))
        let fractions = view.log.filter { $0.hasPrefix("fraction") }
        #expect(fractions == ["fraction 0.0", "fraction 0.5", "fraction 1.0"])
    }

    @Test("X195: an indicator set during a load receives the current progress")
    func lateIndicator() async throws {
        let fixture = TargetFixture(holding: 1)
        let view = fixture.view
        view.setImage(with: fixture.url(1), manager: fixture.manager)
        try await until { view.imageProgress().received == 5 }
        view.indicator = TestIndicator(view)
        try await until { view.log.contains("fraction 0.5") }
        #expect(calls(view) == ["start"])
    }

    @Test("X195: an indicator can be replaced while it runs")
    func replaced() {
        let fixture = TargetFixture(holding: 1)
        let view = fixture.view
        view.indicator = TestIndicator(view)
        view.setImage(with: fixture.url(1), manager: fixture.manager)
        view.indicator = TestIndicator(view)
        view.indicator = nil
        #expect(
            view.log.filter { !$0.hasPrefix("fraction") } == [
                "indicator none to new", "nothing", "start", "stop", "indicator old to new", "start", "stop",
                "indicator old to none",
            ])
    }
}
