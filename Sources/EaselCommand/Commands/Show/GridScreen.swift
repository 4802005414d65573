import EaselCore
import EaselViews
import Foundation
import Synchronization

/// A scrolling grid that fills the terminal. Performs the actions of `GridState`.
@MainActor
final class GridScreen {
    private let session: Session
    private let source: GridSource
    private let playing: PlayingOptions
    private var state: GridState
    private var cells: [Int: Cell] = [:]

    private let inputs: [String]
    private let mailbox = Mailbox<ScreenEvent>()
    private var terminalMode: TerminalMode?
    private lazy var ticker = AnimationTicker(TaskAnimationClock(), interval: .seconds(1) / playing.fps)

    private struct Cell {
        var image: CellImage?
        /// The task that loads or resizes its image.
        var work: Task<Void, Never>?
        var load: ImageTask?
        var player: AnimationPlayer?
        var error: ImageError?
        /// Whether the image was loaded before, and counted.
        var isCounted = false

        @MainActor
        mutating func release() {
            player?.stop()
            player = nil
            image = nil
        }
    }

    private enum ScreenEvent: Sendable {
        case state(GridState.Event)
        case windowChanged
        case suspended
    }

    init(_ inputs: [String], _ session: Session, _ source: GridSource, _ playing: PlayingOptions, columns: Int?) {
        self.inputs = inputs
        self.session = session
        self.source = source
        self.playing = playing
        state = GridState(count: inputs.count, window: Self.window, mode: source.mode, columns: columns)
    }

    /// Shows the grid until the user quits.
    ///
    /// - Throws: `CancellationError`, or the exit status if an input failed.
    func run() async throws {
        let signals = [
            Signals.shared.listen(to: SIGWINCH) { [mailbox] in mailbox.post([.windowChanged]) },
            // Restores the shell's screen before ctrl-Z stops the process.
            Signals.shared.listen(to: SIGTSTP) { [mailbox] in mailbox.post([.suspended]) },
        ]
        terminalMode = begin()
        let keyboard = Keyboard(STDIN_FILENO) { [mailbox] keys in mailbox.post(keys.map { .state(.key($0)) }) }
        perform(state.handle([]))
        while !state.hasQuit {
            let events = await mailbox.next()
            if events.isEmpty { break }
            handle(events)
        }
        keyboard.stop()
        for signal in signals { Signals.shared.end(signal) }
        for index in cells.keys {
            stop(index)
            // A player must not draw on the main screen.
            cells[index]?.release()
        }
        terminalMode?.end()
        try await finish()
    }

    /// Reports the failures in the order of the inputs.
    private func finish() async throws {
        try Task.checkCancellation()
        for (index, cell) in cells.sorted(by: { $0.key < $1.key }) {
            if let error = cell.error { session.fail(inputs[index], error) }
        }
        await session.manager.finishRefreshes()
        try session.finish()
    }

    // MARK: - Events

    private func handle(_ events: [ScreenEvent]) {
        let stateEvents = events.map { event in
            if case .suspended = event { suspend() }
            return if case .state(let event) = event { event } else { GridState.Event.window(Self.window) }
        }
        perform(state.handle(stateEvents))
    }

    private func perform(_ actions: [GridState.Action]) {
        let drawing = actions.map(text).joined()
        if !drawing.isEmpty { session.console.writeDrawing(GridPainter.synchronizedUpdate(drawing)) }
        for action in actions { change(action) }
        playVisibleAnimations()
    }

    private func change(_ action: GridState.Action) {
        switch action {
        case .clear, .draw, .drawStatus: break
        case .cancel(let index): stop(index)
        case .release(let index): cells[index]?.release()
        case .load(let index, let box, let priority): load(index, box, priority)
        case .fit(let index, let box): fit(index, box)
        case .prioritize(let index, let priority): cells[index]?.load?.priority = priority
        }
    }

    // MARK: - The terminal

    private static var window: TerminalSize { .current(of: StandardStream.output.descriptor) }

    private func begin() -> TerminalMode {
        // Alternate screen, hidden cursor, and mouse wheel reports.
        TerminalMode(
            opening: "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1000h\u{1B}[?1006h",
            closing: (source.mode == .kitty ? KittyGraphics.deletion : "")
                + "\u{1B}[0m\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?25h\u{1B}[?1049l",
            rawInput: STDIN_FILENO)
    }

    /// Returns the terminal to the shell until the process continues.
    private func suspend() {
        terminalMode?.end()
        // kill() may stop another thread first, while this one continues for a moment.
        raise(SIGSTOP)
        terminalMode = begin()
    }

    private func text(of action: GridState.Action) -> String {
        switch action {
        case .clear: GridPainter.clear(source.mode)
        case .draw(let index): drawing(of: index)
        case .drawStatus: GridPainter.status(state.status, in: state.layout)
        case .cancel, .release, .load, .fit, .prioritize: ""
        }
    }

    /// Returns the text that draws a cell at its position.
    private func drawing(of index: Int) -> String {
        let cell = GridCell(content(of: index), name: GridCell.name(of: inputs[index]), in: state.layout)
        return GridPainter.cell(cell, at: index, top: state.top, in: state.layout)
    }

    private func content(of index: Int) -> GridCell.Content {
        switch state.content(of: index) {
        case .waiting: .waiting
        case .image: cells[index]?.image.map { .image($0.encoded) } ?? .waiting
        case .failure: .failure(cells[index]?.error.map { $0.message(for: inputs[index]) } ?? "")
        }
    }

    // MARK: - Loads

    private func load(_ index: Int, _ box: PixelSize, _ priority: LoadPriority) {
        do throws(ImageError) {
            var request = source.request(for: try ImageInput(inputs[index]), box: box, in: session)
            request.priority = priority
            // Refreshes an image only once, not when scrolling back to it.
            if cells[index]?.isCounted == true { request.options.remove(.refreshCached) }
            let load = session.manager.load(request)
            work(on: index, box, load) { [source, session] () async throws(ImageError) in
                let response = try await session.withinDeadline { () async throws(ImageError) in try await load.response
                }
                return (try await source.image(response.image, box: box, number: index + 1), response)
            }
        } catch {
            end(index, box, .failure(error))
        }
    }

    /// Scales down the image of a cell.
    private func fit(_ index: Int, _ box: PixelSize) {
        guard let image = cells[index]?.image?.image else { return }
        work(on: index, box, nil) { [source] () async throws(ImageError) in
            (try await source.image(image, box: box, number: index + 1), nil)
        }
    }

    private func stop(_ index: Int) {
        cells[index]?.work?.cancel()
        cells[index]?.load?.cancel()
        cells[index]?.work = nil
        cells[index]?.load = nil
    }

    private func work(
        on index: Int, _ box: PixelSize, _ load: ImageTask?,
        _ body: @escaping @Sendable () async throws(ImageError) -> (CellImage, ImageResponse?)
    ) {
        cells[index, default: Cell()].load = load
        cells[index]?.work = Task {
            let outcome = await Result.catching(body)
            // A cancelled task may have been replaced by another one.
            if !Task.isCancelled { end(index, box, outcome) }
        }
    }

    private func end(
        _ index: Int, _ box: PixelSize, _ outcome: Result<(CellImage, ImageResponse?), ImageError>
    ) {
        var cell = cells[index] ?? Cell()
        defer { cells[index] = cell }
        cell.work = nil
        cell.load = nil
        switch outcome {
        case .success((let image, let response)):
            cell.image = image
            // A running player continues with frames of the new size.
            if let animation = image.image.animation { cell.player?.replace(animation) }
            if let response, !cell.isCounted {
                cell.isCounted = true
                session.statistics.add(source: response.source, timeline: response.timeline)
            }
            mailbox.post([.state(.ready(index, box))])
        case .failure(let error):
            cell.error = error
            mailbox.post([.state(.failed(index, box))])
        }
    }

    // MARK: - Animations

    /// Plays the animations of visible cells and pauses the others.
    private func playVisibleAnimations() {
        let visible = state.visible
        for (index, cell) in cells where cell.player != nil || cell.image?.image.animation != nil {
            let isVisible = visible.contains(index) && state.content(of: index) == .image
            if let player = cell.player {
                player.isVisible = isVisible
            } else if isVisible, let animation = cell.image?.image.animation {
                play(animation, in: index)
            }
        }
    }

    private func play(_ animation: Animation, in index: Int) {
        let player = AnimationPlayer(animation, ticker: ticker) { [weak self] frame in
            self?.show(frame.pixels, in: index)
        }
        player.loopLimit = playing.loop
        cells[index]?.player = player
        player.play()
    }

    /// Draws a frame over the previous one. A slow terminal delays the players, which then skip frames.
    private func show(_ pixels: PixelBuffer, in index: Int) {
        guard pixels.size.fits(in: state.layout.box) else { return }
        cells[index]?.image?.encoded = EncodedImage(pixels, source.mode, number: index + 1)
        guard state.visible.contains(index), state.content(of: index) == .image else { return }
        session.console.writeDrawing(GridPainter.synchronizedUpdate(drawing(of: index)))
    }
}

struct CellImage: Sendable {
    var image: DecodedImage
    /// The image as it is sent to the terminal.
    var encoded: EncodedImage
}

/// A factory that creates the images of a grid.
struct GridSource: Sendable {
    let mode: GraphicsMode
    /// The frame of animations that is shown.
    var frame = 0
    var plays = false

    /// Returns the request for an image in a box of this size. The memory cache is used too, for scrolling back.
    @MainActor
    func request(for input: ImageInput, box: PixelSize, in session: Session) -> ImageRequest {
        var request = session.request(for: input) {
            $0.frame = frame
            $0.targetSize = .pixels(box, mode: .aspectFit)
            if !plays { $0.options.insert(.decodeFirstFrameOnly) }
        }
        request.cache.query.insert(.memory)
        request.cache.store.insert(.memory)
        return request
    }

    /// Returns the image as it is drawn in a box of this size, scaled down if it is larger.
    ///
    /// - Parameter number: The image number, from 1. A kitty terminal replaces the image with the same number. `nil` in
    ///   output that does not scroll back.
    func image(_ image: DecodedImage, box: PixelSize, number: Int?) async throws(ImageError) -> CellImage {
        try await WorkerPool.pixels.run { () throws(ImageError) in
            let image = image.size.fits(in: box) ? image : try image.applying([.resize(.pixels(box, mode: .aspectFit))])
            return CellImage(image: image, encoded: EncodedImage(image.pixels, mode, number: number))
        }
    }
}

/// A queue of events from any thread, for one reader that receives all pending events at once.
final class Mailbox<Event: Sendable>: Sendable {
    private let events = Mutex<[Event]>([])
    private let wakeUps: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (wakeUps, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func post(_ new: [Event]) {
        events.withLock { $0 += new }
        continuation.yield()
    }

    /// Returns the events since the last call, waiting for at least one. Returns none if the task is cancelled.
    func next() async -> [Event] {
        for await _ in wakeUps {
            let pending = events.withLock { exchange(&$0, with: []) }
            if !pending.isEmpty { return pending }
        }
        return []
    }
}
