#if GTK
@testable import EaselCore
@testable import EaselViews
@testable import EaselGTK
import EaselTesting
import Foundation

/// A model of a list's cells and everything between them and a server, made of the value types that decide:
/// `PreloadQueue`, `SlotState`, `LoadInbox`, `CoalescerState`. It does the work of the objects around them in steps
/// whose order a seed determines.
struct CellModel {
    private struct Cell {
        var item: Int?
        var shown: Int?
        /// The item to load when the cell becomes visible or is next in the queue.
        var waiting: Int?
        var isMapped = false
        var isLaidOut = false
        var hasReleasedImage = false
        var slot = SlotState<Int>()
        /// The loads by generation.
        var loads: [Int: Int] = [:]
    }

    /// A load with the state of its relay.
    private struct Load {
        let cell: Int
        let generation: Int
        let item: Int
        var inbox = LoadInbox()
        var task = TaskState()
    }

    /// A step that is due.
    private enum Pending: Equatable {
        case layout
        case preloads
        case deadline
        case probe(Int)
        case request(work: Int)
        case respond(work: Int)
        case deliver(load: Int)
        /// The end of the load is known, but not yet to the coalescer.
        case leave(load: Int)
    }

    private var cells: [Cell]
    private var loads: [Int: Load] = [:]
    private var preloads = PreloadQueue<Int>(limit: 2, preloads: 2)
    private var coalescer: CoalescerState<Int, Int>
    private var items: [Int: Int] = [:]
    private var memory: Set<Int> = []
    private var laidOutNext: [Int] = []
    private var pending: [Pending] = []
    private let responses: [ImageResponse]

    init(_ random: inout SeededGenerator) throws {
        cells = Array(repeating: Cell(), count: .random(in: 1...6, using: &random))
        coalescer = CoalescerState(limit: .random(in: 1...3, using: &random))
        responses = try (0..<4).map { item in
            ImageResponse(
                image: try TestImage.solid(.red, 1, 1).image(), source: .network,
                request: ImageRequest(URL(filePath: "/\(item)")))
        }
    }

    /// The cells that do not show their item. A cell that has released its image may be empty.
    var blanks: [Int] {
        cells.indices.filter { index in
            let cell = cells[index]
            return cell.shown != cell.item && !(cell.hasReleasedImage && cell.shown == nil)
        }
    }

    /// The visible cells that have released their images.
    var forgotten: [Int] { cells.indices.filter { cells[$0].isLaidOut && cells[$0].hasReleasedImage } }

    /// Whether no load has left any state.
    var isIdle: Bool {
        coalescer.count == 0 && cells.allSatisfy { $0.loads.isEmpty && $0.waiting == nil } && !preloads.isDue
    }

    // MARK: - Random steps

    mutating func step(_ random: inout SeededGenerator) {
        let cell = Int.random(in: 0..<cells.count, using: &random)
        switch Int.random(in: 0..<18, using: &random) {
        case 0, 1: bind(cell, to: .random(in: 0..<responses.count, using: &random))
        case 2: unbind(cell)
        case 3, 4: map(cell)
        case 5: unmap(cell)
        case 6: perform(cells[cell].slot.grow(), cell)
        case 7: if let item = memory.randomElement(using: &random) { memory.remove(item) }
        case 8: releaseImage(cell)
        case 9: reload(cell)
        default: proceed(&random)
        }
    }

    /// Performs all pending steps.
    mutating func finishPending(_ random: inout SeededGenerator) {
        while !pending.isEmpty { proceed(&random) }
    }

    private mutating func proceed(_ random: inout SeededGenerator) {
        guard let index = pending.indices.randomElement(using: &random) else { return }
        switch pending.remove(at: index) {
        case .layout: layOut()
        case .preloads: startNext()
        case .deadline: passDeadline()
        case .probe(let work): follow(coalescer.didProbe(work, isLocal: .random(using: &random)))
        case .request(let work): request(work)
        case .respond(let work): respond(work)
        case .deliver(let load): deliver(load)
        case .leave(let load): follow(coalescer.leave([load]))
        }
    }

    // MARK: - GTK

    private mutating func bind(_ cell: Int, to item: Int) {
        unbind(cell)
        cells[cell].item = item
        set(cell, item)
    }

    private mutating func unbind(_ cell: Int) {
        cells[cell].item = nil
        cells[cell].hasReleasedImage = false
        cells[cell].waiting = nil
        preloads.remove(cell)
        for load in cells[cell].loads.values where loads[load]?.inbox.close() == true {
            if loads[load]?.task.refuseRequest() == true { cancel(load) }
        }
        perform(cells[cell].slot.cancel(), cell)
        cells[cell].shown = nil
    }

    private mutating func map(_ cell: Int) {
        guard !cells[cell].isMapped else { return }
        cells[cell].isMapped = true
        laidOutNext.append(cell)
        request(for: .layout)
    }

    private mutating func unmap(_ cell: Int) {
        cells[cell].isMapped = false
        cells[cell].isLaidOut = false
    }

    private mutating func layOut() {
        for cell in exchange(&laidOutNext, with: []) where cells[cell].isMapped {
            cells[cell].isLaidOut = true
            reload(cell)
            beginWaiting(cell)
        }
        schedulePreloads()
    }

    /// Releases the image of a cell that is far from the visible part.
    private mutating func releaseImage(_ cell: Int) {
        guard let item = cells[cell].item, !cells[cell].isLaidOut else { return }
        unbind(cell)
        cells[cell].item = item
        cells[cell].hasReleasedImage = true
    }

    /// Loads the image again for a cell near the visible part.
    private mutating func reload(_ cell: Int) {
        guard cells[cell].hasReleasedImage, let item = cells[cell].item else { return }
        cells[cell].hasReleasedImage = false
        set(cell, item)
        beginWaiting(cell)
    }

    // MARK: - View

    private mutating func set(_ cell: Int, _ item: Int) {
        if cells[cell].isLaidOut || memory.contains(item) { return load(cell, item) }
        perform(cells[cell].slot.cancel(), cell)
        cells[cell].waiting = item
        preloads.add(cell)
        schedulePreloads()
        cells[cell].shown = nil
    }

    private mutating func beginWaiting(_ cell: Int) {
        guard let item = cells[cell].waiting.take() else { return }
        preloads.remove(cell)
        load(cell, item)
    }

    private mutating func schedulePreloads() {
        if preloads.isDue { request(for: .preloads) }
    }

    private mutating func startNext() {
        for _ in 0..<2 {
            guard let cell = preloads.next(canStart: { _ in true }) else { return }
            beginWaiting(cell)
            loadsDidChange(cell)
        }
        schedulePreloads()
    }

    private mutating func load(_ cell: Int, _ item: Int, isEnlargement: Bool = false) {
        perform(cells[cell].slot.begin(.init(isEnlargement: isEnlargement)), cell)
        let generation = cells[cell].slot.generation
        if memory.contains(item) {
            return perform(cells[cell].slot.succeed(with: item, animates: false, generation), cell)
        }
        let load = loads.count
        loads[load] = Load(cell: cell, generation: generation, item: item)
        cells[cell].loads[generation] = load
        perform(cells[cell].slot.wait(), cell)
        follow(coalescer.join(load, item, demand: LoadDemand(priority: cells[cell].isMapped ? .normal : .low)))
        loadsDidChange(cell)
    }

    private mutating func loadsDidChange(_ cell: Int) {
        let before = preloads.precedence
        preloads.setLoading(cell, cells[cell].loads[cells[cell].slot.generation] != nil)
        schedulePreloads()
        guard preloads.precedence != before else { return }
        pending.removeAll { $0 == .deadline }
        if preloads.precedence.timeLimit != nil { pending.append(.deadline) }
    }

    private mutating func passDeadline() {
        preloads.endPrecedence()
        schedulePreloads()
    }

    private mutating func perform(_ actions: [SlotAction<Int>], _ cell: Int) {
        for action in actions {
            switch action {
            case .cancel(let generation):
                guard let load = cells[cell].loads.removeValue(forKey: generation) else { continue }
                if loads[load]?.inbox.close() == true { cancel(load) }
                loadsDidChange(cell)
            case .showPlaceholder: cells[cell].shown = nil
            case .show(let item, let generation):
                if cells[cell].slot.mayShow(generation) { cells[cell].shown = item }
            case .complete(let generation):
                cells[cell].loads[generation] = nil
                loadsDidChange(cell)
            case .enlarge:
                if let item = cells[cell].item { load(cell, item, isEnlargement: true) }
            case .animate, .resetProgress, .startIndicator, .stopIndicator, .report: break
            }
        }
    }

    // MARK: - Manager and server

    private mutating func follow(_ actions: [CoalescerState<Int, Int>.Action]) {
        for action in actions {
            switch action {
            case .start(let work, let leader):
                items[work] = loads[leader]?.item
                pending.append(.request(work: work))
            case .probe(let id, _): pending.append(.probe(id))
            case .cancel(let work): pending.removeAll { $0 == .request(work: work) || $0 == .respond(work: work) }
            case .announceRequest(let load): _ = loads[load]?.task.willSendRequest()
            case .finish(let id, let outcome, let subscribers):
                for load in subscribers {
                    receive(outcome, load)
                    _ = coalescer.endLease(of: id)
                }
            case .updateDemand, .deliver, .answer, .release: break
            }
        }
    }

    private mutating func cancel(_ load: Int) {
        loads[load]?.task.receive(.finished(.failure(.cancelled)))
        pending.append(.leave(load: load))
    }

    /// No load joins between `willSendRequest` and its result; `CoalescerStateTests` tests that case.
    private mutating func request(_ work: Int) {
        let subscribers = coalescer.willSendRequest(work)
        let requesting = subscribers.filter { loads[$0]?.task.willSendRequest() == true }
        if requesting.isEmpty, coalescer.closeIfUnneeded(work, refusedBy: subscribers) {
            follow(coalescer.finish(work, .failure(.cancelled)))
        } else {
            pending.append(.respond(work: work))
        }
    }

    private mutating func respond(_ work: Int) {
        guard let item = items[work] else { return }
        memory.insert(item)
        follow(coalescer.finish(work, .success(item)))
    }

    private mutating func receive(_ outcome: Result<Int, ImageError>, _ load: Int) {
        let event = LoadEvent.finished(outcome.map { responses[$0] })
        if loads[load]?.inbox.put(event) == true { pending.append(.deliver(load: load)) }
    }

    private mutating func deliver(_ number: Int) {
        guard let events = loads[number]?.inbox.take(), let load = loads[number] else { return }
        for event in events {
            guard case .finished(let outcome) = event else { continue }
            switch outcome {
            case .success:
                let actions = cells[load.cell].slot.succeed(with: load.item, animates: false, load.generation)
                perform(actions, load.cell)
            case .failure: perform(cells[load.cell].slot.fail(isCancelled: true, load.generation), load.cell)
            }
        }
    }

    private mutating func request(for step: Pending) {
        if !pending.contains(step) { pending.append(step) }
    }
}
#endif
