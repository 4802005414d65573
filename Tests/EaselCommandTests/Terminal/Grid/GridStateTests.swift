import EaselCore
import Testing

@testable import easel

/// A grid of two columns and two visible rows: four cells a page.
@Suite("Grid state")
struct GridStateTests {
    private static let window = TerminalSize(columns: 52, rows: 21)
    private static let wider = TerminalSize(columns: 60, rows: 25)
    private static let narrower = TerminalSize(columns: 46, rows: 19)

    private func grid(_ count: Int = 40) -> GridState {
        GridState(count: count, window: Self.window, mode: .blocks, columns: 2)
    }

    /// Lets all running work succeed.
    private func settle(_ state: inout GridState, _ actions: [GridState.Action]) {
        var actions = actions
        while true {
            let ready: [GridState.Event] = actions.compactMap { action in
                switch action {
                case .load(let index, let box, _), .fit(let index, let box): .ready(index, box)
                default: nil
                }
            }
            if ready.isEmpty { return }
            actions = state.handle(ready)
        }
    }

    private func makeSettledState() -> GridState {
        var state = grid()
        settle(&state, state.handle([]))
        return state
    }

    @Test("visible cells are drawn at once and loaded first, before the next page")
    func beginning() {
        var state = grid()
        let box = state.layout.box
        #expect(
            state.handle([]) == [.clear] + (0..<4).map { .draw($0) } + [.drawStatus]
                + (0..<4).map { .load($0, box, .normal) } + (4..<8).map { .load($0, box, .low) })
        #expect(state.handle([]).isEmpty)
    }

    @Test("only a loaded image is drawn")
    func ready() {
        var state = grid()
        _ = state.handle([])
        #expect(state.handle([.ready(2, state.layout.box)]) == [.draw(2), .drawStatus])
        #expect(state.content(of: 2) == .image && state.content(of: 1) == .waiting)
        #expect(state.handle([.ready(5, state.layout.box)]).isEmpty)
    }

    @Test("a failure is drawn and not retried")
    func failure() {
        var state = grid()
        _ = state.handle([])
        #expect(state.handle([.failed(1, state.layout.box)]) == [.draw(1), .drawStatus])
        #expect(state.content(of: 1) == .failure && state.status.contains("1 failed"))
        settle(&state, state.handle([.key(.end)]))
        let actions = state.handle([.key(.home)])
        #expect(actions.contains(.draw(1)))
        #expect(!actions.contains(.load(1, state.layout.box, .normal)))
        #expect(state.content(of: 1) == .failure)
    }

    @Test("scrolling raises the priority of visible cells and lowers that of others")
    func scrolling() {
        var state = grid()
        _ = state.handle([])
        let box = state.layout.box
        #expect(
            state.handle([.key(.down)]) == [.clear] + (2..<6).map { .draw($0) } + [.drawStatus]
                + [.prioritize(4, .normal), .prioritize(5, .normal)]
                + [.load(8, box, .low), .load(9, box, .low), .prioritize(0, .low), .prioritize(1, .low)])
    }

    @Test("loads more than a page away are cancelled")
    func cancelling() {
        var state = grid()
        _ = state.handle([])
        let actions = state.handle([.key(.pageDown), .key(.pageDown)])
        #expect(actions.filter { if case .cancel = $0 { true } else { false } } == (0..<4).map { .cancel($0) })
        #expect(state.visible == 8..<12)
    }

    @Test("images more than a page away are released, and loaded again when they are visible")
    func releasing() {
        var state = makeSettledState()
        let actions = state.handle([.key(.end)])
        #expect(actions.filter { if case .release = $0 { true } else { false } } == (0..<8).map { .release($0) })
        #expect(state.handle([.key(.home)]).contains(.load(0, state.layout.box, .normal)))
    }

    @Test("scrolling up loads the page above ahead")
    func upwards() {
        var state = grid()
        _ = state.handle([.key(.end)])
        let box = state.layout.box
        let actions = state.handle([.key(.up)])
        #expect(state.visible == 34..<38)
        #expect(
            actions.suffix(6) == (30..<34).map { .load($0, box, .low) } + [
                .prioritize(38, .low), .prioritize(39, .low),
            ])
    }

    @Test("scrolling stops at the ends of the grid", arguments: [Key.up, .pageUp, .home])
    func ends(key: Key) {
        var state = makeSettledState()
        #expect(state.handle([.key(key)]).isEmpty)
        _ = state.handle([.key(.end)])
        #expect(state.visible == 36..<40)
        #expect(state.handle([.key(.pageDown), .key(.down)]).filter { $0 == .clear }.isEmpty)
    }

    @Test("repeated keys draw once")
    func repeating() {
        var state = makeSettledState()
        let actions = state.handle(Array(repeating: .key(.down), count: 5))
        #expect(actions.filter { $0 == .clear }.count == 1)
        #expect(state.visible == 10..<14)
    }

    @Test("a larger window decodes its images again, and shows the smaller ones until then")
    func growing() {
        var state = makeSettledState()
        let actions = state.handle([.window(Self.wider)])
        #expect(actions.contains(.load(0, state.layout.box, .normal)))
        #expect(state.content(of: 0) == .image)
        #expect(state.handle([.ready(0, state.layout.box)]).contains(.draw(0)))
    }

    @Test("a smaller window scales its images down without decoding")
    func shrinking() {
        var state = makeSettledState()
        let actions = state.handle([.window(Self.narrower)])
        #expect((0..<8).allSatisfy { actions.contains(.fit($0, state.layout.box)) })
        #expect(state.content(of: 0) == .waiting)
        #expect(state.handle([.ready(0, state.layout.box)]).contains(.draw(0)))
        #expect(state.content(of: 0) == .image)
        // Back at the first size, the image still has its decoded pixels.
        #expect(state.handle([.window(Self.window)]).contains(.fit(0, state.layout.box)))
    }

    @Test("a resize during a load takes effect when the load ends")
    func changingMeanwhile() {
        var state = grid()
        _ = state.handle([])
        let before = state.layout.box
        #expect(!state.handle([.window(Self.wider)]).contains(.load(0, state.layout.box, .normal)))
        #expect(state.handle([.ready(0, before)]).contains(.load(0, state.layout.box, .normal)))
        #expect(state.content(of: 0) == .image)
    }

    @Test("the first visible image stays in the first row after a resize")
    func keepingPlace() {
        var state = GridState(count: 40, window: TerminalSize(columns: 80, rows: 21), mode: .blocks)
        _ = state.handle(Array(repeating: .key(.down), count: 4))
        let first = state.visible.lowerBound
        _ = state.handle([.window(TerminalSize(columns: 52, rows: 21))])
        #expect(state.visible.contains(first) && state.visible.lowerBound > first - state.layout.columns)
    }

    @Test("late results are ignored")
    func late() {
        var state = makeSettledState()
        _ = state.handle([.key(.end)])
        #expect(state.handle([.ready(0, state.layout.box), .failed(1, state.layout.box)]).isEmpty)
        _ = state.handle([.key(.home)])
        #expect(state.content(of: 0) == .waiting && state.content(of: 1) == .waiting)
    }

    @Test("a redraw only draws")
    func redrawing() {
        var state = makeSettledState()
        #expect(state.handle([.key(.redraw)]) == [.clear] + (0..<4).map { .draw($0) } + [.drawStatus])
    }

    @Test("leaving performs no further actions")
    func leaving() {
        var state = grid()
        #expect(state.handle([.key(.down), .key(.quit)]).isEmpty)
        #expect(state.hasQuit)
    }

    @Test("the status line has the visible range and the numbers of loads and failures")
    func status() {
        var state = grid()
        _ = state.handle([])
        _ = state.handle([.ready(0, state.layout.box), .failed(1, state.layout.box)])
        #expect(state.status.hasPrefix("1 to 4 of 40, 2 loading, 1 failed"))
    }
}
