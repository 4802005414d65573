import EaselTesting
import EaselCore
import Testing

@testable import easel

/// Performs the actions of a grid, and records inconsistencies.
private struct GridShell {
    var work: [Int: (box: PixelSize, isLoad: Bool)] = [:]
    /// The images of cells, with the box that each was decoded for.
    var images: [Int: PixelSize] = [:]
    var failed: Set<Int> = []
    var drawn: [Int: GridState.Content] = [:]
    var errors: [String] = []

    mutating func perform(_ actions: [GridState.Action], _ state: GridState) {
        for action in actions {
            switch action {
            case .clear: drawn = [:]
            case .draw(let index): drawn[index] = state.content(of: index)
            case .drawStatus: break
            case .cancel(let index):
                if work.removeValue(forKey: index) == nil { errors.append("nothing to cancel for \(index)") }
            case .release(let index):
                if images.removeValue(forKey: index) == nil { errors.append("nothing to release for \(index)") }
            case .load(let index, let box, _):
                if work[index] != nil { errors.append("\(index) loads twice") }
                work[index] = (box, true)
            case .fit(let index, let box):
                if work[index] != nil { errors.append("\(index) works twice") }
                if images[index].map({ box.fits(in: $0) }) != true { errors.append("\(index) is too small to fit") }
                work[index] = (box, false)
            case .prioritize(let index, _):
                if work[index]?.isLoad != true { errors.append("no load to prioritize for \(index)") }
            }
        }
    }

    mutating func finish(_ index: Int, fails: Bool) -> GridState.Event? {
        guard let finished = work.removeValue(forKey: index) else { return nil }
        if finished.isLoad, fails {
            failed.insert(index)
            return .failed(index, finished.box)
        }
        if finished.isLoad { images[index] = finished.box }
        return .ready(index, finished.box)
    }
}

@Suite("Grid state, random events")
struct GridStateHistoryTests {
    @Test(
        "each visible cell has an image, a reason or running work, and distant cells have nothing",
        arguments: 0..<40)
    func history(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var state = GridState(count: 60, window: TerminalSize(columns: 80, rows: 24), mode: .blocks)
        var shell = GridShell()
        shell.perform(state.handle([]), state)
        for _ in 0..<200 {
            let events = (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in event(&shell, &random) }
            shell.perform(state.handle(events), state)
            check(state, shell)
        }
        #expect(shell.errors.isEmpty)
    }

    private func event(_ shell: inout GridShell, _ random: inout SeededGenerator) -> GridState.Event? {
        let keys: [Key] = [.up, .down, .pageUp, .pageDown, .home, .end, .redraw]
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: return keys.randomElement(using: &random).map { .key($0) }
        case 3:
            return .window(
                TerminalSize(columns: .random(in: 1...120, using: &random), rows: .random(in: 1...50, using: &random)))
        default:
            let fails = Int.random(in: 0..<8, using: &random) == 0
            return shell.work.keys.sorted().randomElement(using: &random).flatMap { shell.finish($0, fails: fails) }
        }
    }

    private func check(_ state: GridState, _ shell: GridShell) {
        for index in state.visible {
            let content = state.content(of: index)
            let isConsistent =
                switch content {
                case .failure: shell.failed.contains(index)
                case .image: shell.images[index] != nil
                case .waiting: shell.work[index] != nil
                }
            if !isConsistent || shell.drawn[index] != content { Issue.record("\(index) shows \(content)") }
        }
        let page = state.layout.page
        let nearby = state.layout.cells(inRows: state.top - page..<state.top + 2 * page)
        let isBounded = shell.work.keys.allSatisfy(nearby.contains) && shell.images.keys.allSatisfy(nearby.contains)
        if !isBounded { Issue.record("something is kept for \(shell.work.keys) and \(shell.images.keys)") }
    }
}
