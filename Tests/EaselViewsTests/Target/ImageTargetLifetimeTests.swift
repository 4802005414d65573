import EaselTesting
import Foundation
import TestSupport
import Testing

@testable import EaselCore
@testable import EaselViews

/// Whether the Address Sanitizer is active. Its runtime has this symbol.
private let isAddressSanitized = dlsym(nil, "__asan_init") != nil

/// A target without a stored state.
@MainActor
private final class PlainTarget: ImageTarget {
    var shown: [String] = []
    func show(_ image: DecodedImage?, in slot: ImageSlot) { shown.append(image.name) }
}

@Suite("ImageTarget: lifetime", .timeLimit(.minutes(1)))
@MainActor
struct ImageTargetLifetimeTests {
    @Test("S027: a load does not retain its target, and deallocating the target cancels its loads at once")
    func diesAtOnce() async throws {
        let fixture = TargetFixture(holding: 1, 2)
        var view: TestView? = TestView()
        weak let dead = view
        let tasks = [ImageSlot.image, .highlighted].map { slot in
            view?.setImage(with: fixture.url(1), in: slot, manager: fixture.manager)
        }
        let frames = view?.setAnimationImages(with: [fixture.url(2)], manager: fixture.manager)
        view = nil
        #expect(dead == nil)
        #expect(tasks.map { $0?.isCancelled } == [true, true])
        #expect(frames?.map(\.isCancelled) == [true])
        try await until { !fixture.manager.isRunning }
    }

    @Test("S028, X197: after its target is deallocated, a load shows nothing and calls no completion")
    func deallocated() async {
        let fixture = TargetFixture(holding: 1)
        var view: TestView? = TestView()
        var calls = 0
        let task = view?.setImage(with: fixture.url(1), manager: fixture.manager) { _ in calls += 1 }
        view = nil
        fixture.open(1)
        _ = await task?.outcome
        await mainTurns()
        #expect(calls == 0)
    }

    @Test("S028: pending results, also of superseded loads, are dropped when the target is deallocated")
    func diesOnTheWay() async {
        let fixture = TargetFixture(holding: 1, 2)
        var view: TestView? = TestView()
        var calls = 0
        view?.setImage(with: fixture.url(2), manager: fixture.manager) { _ in calls += 1 }
        let task = view?.setImage(with: fixture.url(1), manager: fixture.manager) { _ in calls += 1 }
        task?.cancel()
        view = nil
        await mainTurns()
        #expect(calls == 0)
    }

    @Test("S028: a result is dropped if the target was deallocated while its state exists")
    func secondCheck() async throws {
        let fixture = TargetFixture(holding: 1)
        var target: PlainTarget? = PlainTarget()
        weak let dead = target
        let state = target?.targetState
        var calls = 0
        let task = target?.setImage(with: fixture.url(1), manager: fixture.manager) { _ in calls += 1 }
        target = nil
        #expect(dead == nil)
        fixture.open(1)
        _ = await task?.outcome
        try await until { state?.latest == nil }
        #expect(calls == 0)
    }

    @Test("the registry cancels the loads of a deallocated target at their next event")
    func tableFinds() async throws {
        let fixture = TargetFixture(holding: 1)
        var target: PlainTarget? = PlainTarget()
        let task = target?.setImage(with: fixture.url(1), manager: fixture.manager)
        target = nil
        // The loader reports five bytes and waits.
        try await until { task?.isCancelled == true }
        try await until { fixture.parts.loader.cancellations.count == 1 }
    }

    @Test("the registry removes deallocated targets after as many calls as it has targets")
    func tableIsCleaned() {
        let registry = TargetRegistry()
        for _ in 0..<1_000 { _ = registry.state(of: PlainTarget()) }
        #expect(registry.count <= 32)
        let living = (0..<100).map { _ in PlainTarget() }
        let states = living.map { registry.state(of: $0) }
        registry.clean()
        #expect(registry.count == 100)
        #expect(zip(living, states).map { registry.state(of: $0) === $1 } == Array(repeating: true, count: 100))
    }

    @Test(
        "the registry gives a new object at a reused address a new state",
        .disabled(if: isAddressSanitized, "The Address Sanitizer does not reuse addresses."))
    func addressIsUsedAgain() {
        let registry = TargetRegistry()
        let addresses = AddressTable()
        var (reused, stale) = (0, 0)
        for _ in 0..<2_000 {
            let target = PlainTarget()
            let state = registry.state(of: target)
            if addresses.note(ObjectIdentifier(target), ObjectIdentifier(state)) { reused += 1 }
            if state.target != nil || state.slot(.image) != nil { stale += 1 }
            state.connect(to: target)
            _ = state.bindSlot(.image)
        }
        #expect(stale == 0)
        // Otherwise no address was reused, and the test proved nothing.
        #expect(reused > 0)
    }

    @Test("a target without a stored state behaves like one with it")
    func table() async throws {
        let fixture = TargetFixture()
        let target = PlainTarget()
        target.transition = .fade
        target.setImage(with: fixture.url(7), manager: fixture.manager)
        try await until { target.shown == ["nothing", "7"] }
        #expect(target.imageURL == fixture.url(7))
    }

    @Test("the closures of a load are released when it ends")
    func closures() async throws {
        final class Held {}
        let fixture = TargetFixture()
        weak var weakObject: Held?
        func load() {
            let object = Held()
            weakObject = object
            fixture.view.setImage(
                with: fixture.url(7), manager: fixture.manager, completion: { _ in _ = object },
                progress: { _ in _ = object }, setter: { _ in _ = object })
        }
        load()
        #expect(weakObject != nil)
        try await until { weakObject == nil }
    }
}

/// The addresses seen so far.
@MainActor
private final class AddressTable {
    private var addresses: Set<ObjectIdentifier> = []

    func note(_ target: ObjectIdentifier, _ state: ObjectIdentifier) -> Bool { !addresses.insert(target).inserted }
}
