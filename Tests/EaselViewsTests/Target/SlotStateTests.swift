import TestSupport
import Testing

@testable import EaselCore
@testable import EaselViews

@Suite("SlotState")
struct SlotStateTests {
    typealias State = SlotState<String>

    /// Returns a slot whose load has started.
    private func loading(_ options: TargetOptions = [], completion: Bool = true, error: Bool = false) -> State {
        var state = State()
        _ = state.begin(plan(options, completion: completion, error: error))
        _ = state.wait()
        return state
    }

    private func plan(_ options: TargetOptions = [], completion: Bool = true, error: Bool = false) -> State.Plan {
        State.Plan(options: options, hasCompletion: completion, hasErrorPlaceholder: error)
    }

    @Test("S023 to S027, X194: a new load cancels the earlier one, shows the placeholder and resets progress")
    func beginning() {
        var state = loading()
        #expect(state.begin(plan()) == [.cancel(1)])
        #expect(state.wait() == [.showPlaceholder(.usual, 2), .resetProgress(2)])
    }

    @Test("S025, S031: a delayed placeholder is shown after a failure")
    func delayed() {
        var state = State()
        #expect(state.begin(plan(.delayPlaceholder)) == [])
        #expect(state.wait() == [.resetProgress(1), .startIndicator])
        #expect(state.fail(1) == [.stopIndicator, .showPlaceholder(.usual, 1), .complete(1)])
    }

    @Test("S026: without a URL a running indicator stops and none starts")
    func nothingToLoad() {
        var state = loading()
        #expect(state.begin(plan()) == [.cancel(1)])
        #expect(state.wait(isLoading: false) == [.showPlaceholder(.usual, 2), .resetProgress(2)])
        #expect(state.fail(2) == [.stopIndicator, .complete(2)])
    }

    @Test("S028, S030, S032: a success stops the indicator, shows the image and calls the completion")
    func success() {
        var state = loading()
        #expect(state.preview("coarse", 1) == [.show("coarse", 1)])
        #expect(state.succeed(with: "fine", animates: false, 1) == [.stopIndicator, .show("fine", 1), .complete(1)])
    }

    @Test("S029, S034: with avoidAutoSetImage an image is shown only without a completion", arguments: [true, false])
    func avoidsAutoSet(completion: Bool) {
        var state = loading(.avoidAutoSetImage, completion: completion)
        let parts = [
            state.preview("coarse", 1), state.cached("old", 1), state.succeed(with: "fine", animates: false, 1),
        ]
        let displayed = parts.joined().filter { if case .show = $0 { true } else { false } }
        #expect(displayed.count == (completion ? 0 : 3))
    }

    @Test("R021: events of a superseded load have no effect")
    func superseded() {
        var state = loading()
        _ = state.begin(plan())
        #expect(state.progress(LoadProgress(received: 1, expected: 2), 1) == [])
        #expect(state.preview("old", 1) == [])
        #expect(state.cached("old", 1) == [])
        #expect(state.succeed(with: "old", animates: false, 1) == [])
        #expect(state.fail(1) == [])
        #expect(!state.mayShow(1))
        #expect(state.mayShow(2))
    }

    @Test("X015: with avoidAutoCancel the earlier load shows its images until the later one has any")
    func avoidsAutoCancel() {
        var state = loading()
        #expect(state.begin(plan(.avoidAutoCancel)) == [])
        #expect(state.wait() == [.showPlaceholder(.usual, 2), .resetProgress(2)])
        #expect(state.preview("first", 1) == [.show("first", 1)])
        #expect(state.preview("second", 2) == [.show("second", 2)])
        #expect(state.succeed(with: "first", animates: false, 1) == [.complete(1)])
        #expect(
            state.succeed(with: "second", animates: false, 2) == [.stopIndicator, .show("second", 2), .complete(2)])
    }

    @Test("a failure of an earlier load does not affect the placeholder of the later one")
    func earlierFailure() {
        var state = loading(error: true)
        _ = state.begin(plan(.avoidAutoCancel))
        #expect(state.fail(1) == [.complete(1)])
    }

    @Test("B107: the error placeholder is shown unless there is a complete image")
    func errorPlaceholder() {
        var state = loading(error: true)
        _ = state.preview("half", 1)
        #expect(state.fail(1) == [.stopIndicator, .showPlaceholder(.error, 1), .complete(1)])
        state = loading([.delayPlaceholder], error: true)
        _ = state.cached("kept", 1)
        #expect(state.fail(1) == [.stopIndicator, .complete(1)])
    }

    @Test("a cancelled load does not change what is shown")
    func cancelled() {
        var state = loading(.delayPlaceholder, error: true)
        #expect(state.fail(isCancelled: true, 1) == [.stopIndicator, .complete(1)])
        state = loading()
        #expect(state.cancel() == [.stopIndicator, .cancel(1)])
        #expect(state.cancel() == [])
        #expect(!state.mayShow(1))
    }

    @Test("X016, X196: the completion waits only for a transition that runs")
    func waitTransition() {
        var state = loading(.waitTransition)
        #expect(
            state.succeed(with: "new", animates: true, 1) == [.stopIndicator, .animate("new", 1, completes: true)])
        state = loading(.waitTransition)
        #expect(state.succeed(with: "new", animates: false, 1) == [.stopIndicator, .show("new", 1), .complete(1)])
        state = loading()
        #expect(
            state.succeed(with: "new", animates: true, 1)
                == [.stopIndicator, .animate("new", 1, completes: false), .complete(1)])
        state = loading([.waitTransition, .avoidAutoSetImage])
        #expect(state.succeed(with: "new", animates: true, 1) == [.stopIndicator, .complete(1)])
    }

    @Test("a decoded placeholder is shown only until an image arrives")
    func latePlaceholder() {
        var state = loading()
        #expect(state.awaits(.usual, 1))
        _ = state.preview("coarse", 1)
        #expect(!state.awaits(.usual, 1))
        state = loading(error: true)
        _ = state.fail(1)
        #expect(!state.awaits(.usual, 1))
        #expect(state.awaits(.error, 1))
        _ = state.begin(plan())
        #expect(!state.awaits(.error, 1))
    }

    @Test("a placeholder delivered by the load is delayed too")
    func loadsOwnPlaceholder() {
        var state = loading(.delayPlaceholder)
        #expect(state.preview("grey", isPlaceholder: true, 1) == [])
        state = loading()
        #expect(state.preview("grey", isPlaceholder: true, 1) == [.show("grey", 1)])
    }

    @Test("R014: a target that has grown loads a larger image after the current one")
    func grows() {
        var state = loading()
        #expect(state.grow() == [])
        #expect(
            state.succeed(with: "small", animates: false, 1)
                == [.stopIndicator, .show("small", 1), .complete(1), .enlarge])
        #expect(state.begin(State.Plan(isEnlargement: true)) == [])
        #expect(state.wait() == [])
        #expect(state.preview("coarse", 2) == [])
        #expect(state.grow() == [])
        #expect(state.succeed(with: "large", animates: true, 2) == [.show("large", 2), .complete(2), .enlarge])
    }

    @Test("a target without an image does not load a larger one")
    func growsWithoutImage() {
        var state = State()
        #expect(state.grow() == [])
        state = loading()
        _ = state.grow()
        #expect(state.fail(1) == [.stopIndicator, .complete(1)])
        #expect(state.grow() == [])
        state = loading(.avoidAutoSetImage)
        _ = state.succeed(with: "hidden", animates: false, 1)
        #expect(state.grow() == [])
    }

    @Test("a failed enlargement keeps the image and can be repeated")
    func enlargementFails() {
        var state = loading()
        _ = state.succeed(with: "small", animates: false, 1)
        _ = state.begin(State.Plan(hasErrorPlaceholder: true, isEnlargement: true))
        #expect(state.fail(2) == [.complete(2)])
        #expect(state.grow() == [.enlarge])
    }

    @Test("X194: an available image needs no placeholder or indicator, and stops a running indicator")
    func imageInMemory() {
        var state = loading()
        #expect(state.begin(plan()) == [.cancel(1)])
        #expect(state.succeed(with: "new", animates: false, 2) == [.stopIndicator, .show("new", 2), .complete(2)])
    }
}
