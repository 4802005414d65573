import Testing

@testable import EaselCore

@Suite("SlotState")
struct SlotStateTests {
    typealias State = SlotState<String>

    /// A slot in which a load has begun and waits.
    private func loading(_ options: TargetOptions = [], completion: Bool = true, error: Bool = false) -> State {
        var state = State()
        _ = state.begin(plan(options, completion: completion, error: error))
        _ = state.wait()
        return state
    }

    private func plan(_ options: TargetOptions = [], completion: Bool = true, error: Bool = false) -> State.Plan {
        State.Plan(options: options, hasCompletion: completion, hasErrorPlaceholder: error)
    }

    @Test("S023 to S027, X194: cancel, placeholder, progress, indicator")
    func beginning() {
        var state = loading()
        #expect(state.begin(plan()) == [.cancel(1)])
        #expect(state.wait() == [.showPlaceholder(.usual, 2), .resetProgress(2)])
    }

    @Test("S025, S031: a delayed placeholder waits for the failure")
    func delayed() {
        var state = State()
        #expect(state.begin(plan(.delayPlaceholder)) == [])
        #expect(state.wait() == [.resetProgress(1), .startIndicator])
        #expect(state.fail(1) == [.stopIndicator, .showPlaceholder(.usual, 1), .complete(1)])
    }

    @Test("S026: without a URL there is no indicator, and one that runs stops")
    func nothingToLoad() {
        var state = loading()
        #expect(state.begin(plan()) == [.cancel(1)])
        #expect(state.wait(isLoading: false) == [.showPlaceholder(.usual, 2), .resetProgress(2)])
        #expect(state.fail(2) == [.stopIndicator, .complete(2)])
    }

    @Test("S028, S030, S032: the indicator stops, the image is shown, the completion is called")
    func success() {
        var state = loading()
        #expect(state.preview("coarse", 1) == [.show("coarse", 1)])
        #expect(state.succeed(with: "fine", animates: false, 1) == [.stopIndicator, .show("fine", 1), .complete(1)])
    }

    @Test("S029, S034: the image is left to the completion, if there is one", arguments: [true, false])
    func avoidsAutoSet(completion: Bool) {
        var state = loading(.avoidAutoSetImage, completion: completion)
        let parts = [
            state.preview("coarse", 1), state.cached("old", 1), state.succeed(with: "fine", animates: false, 1),
        ]
        let shown = parts.joined().filter { if case .show = $0 { true } else { false } }
        #expect(shown.count == (completion ? 0 : 3))
    }

    @Test("R021: nothing that comes for a load that was superseded does anything")
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

    @Test("X015: a load that was left to go on shows what it brings until the later one has something")
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

    @Test("an earlier load's failure leaves the later one's placeholder alone")
    func earlierFailure() {
        var state = loading(error: true)
        _ = state.begin(plan(.avoidAutoCancel))
        #expect(state.fail(1) == [.complete(1)])
    }

    @Test("B107: the placeholder for errors is shown where nothing whole is")
    func errorPlaceholder() {
        var state = loading(error: true)
        _ = state.preview("half", 1)
        #expect(state.fail(1) == [.stopIndicator, .showPlaceholder(.error, 1), .complete(1)])
        state = loading([.delayPlaceholder], error: true)
        _ = state.cached("kept", 1)
        #expect(state.fail(1) == [.stopIndicator, .complete(1)])
    }

    @Test("a cancelled load changes nothing of what is shown")
    func cancelled() {
        var state = loading(.delayPlaceholder, error: true)
        #expect(state.fail(isCancelled: true, 1) == [.stopIndicator, .complete(1)])
        state = loading()
        #expect(state.cancel() == [.stopIndicator, .cancel(1)])
        #expect(state.cancel() == [])
        #expect(!state.mayShow(1))
    }

    @Test("X016, X196: the completion waits for a transition that runs, and for none that does not")
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

    @Test("a placeholder that takes time is shown only while nothing better is")
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

    @Test("a placeholder that the load itself brings is delayed too")
    func loadsOwnPlaceholder() {
        var state = loading(.delayPlaceholder)
        #expect(state.preview("grey", isPlaceholder: true, 1) == [])
        state = loading()
        #expect(state.preview("grey", isPlaceholder: true, 1) == [.show("grey", 1)])
    }

    @Test("R014: a target that has grown gets more pixels, once its image is there")
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

    @Test("one that has no image, or got none, has nothing to enlarge")
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

    @Test("an enlargement that fails leaves the image, and may be tried again")
    func enlargementFails() {
        var state = loading()
        _ = state.succeed(with: "small", animates: false, 1)
        _ = state.begin(State.Plan(hasErrorPlaceholder: true, isEnlargement: true))
        #expect(state.fail(2) == [.complete(2)])
        #expect(state.grow() == [.enlarge])
    }

    @Test("X194: an image in hand needs no placeholder and no indicator, and stops the one before it")
    func inHand() {
        var state = loading()
        #expect(state.begin(plan()) == [.cancel(1)])
        #expect(state.succeed(with: "new", animates: false, 2) == [.stopIndicator, .show("new", 2), .complete(2)])
    }
}
