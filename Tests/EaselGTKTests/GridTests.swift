#if GTK
import CGTK
import EaselCore
@testable import EaselGTK
import EaselTesting
import Foundation
import Testing

extension GTKTests {
    /// The grid has a thousand items.
    @Suite("Cells of a grid") @MainActor
    struct Grids {
        @Test("visible cells load first")
        func visibleCells() async throws {
            let grid = try Grid()
            defer { grid.window.close() }
            await grid.window.present()
            await grid.settle()
            // Four rows of four. The next row counts as visible.
            let first = grid.transport.requests.prefix(16).map(\.url)
            #expect(Set(first).isSubset(of: (0..<24).map { Grid.url($0) }))
            #expect(try grid.window.pixels(of: grid.view)[10, 10] == Grid.color(0))
        }

        @Test("other bound cells are preloaded once")
        func boundCells() async throws {
            let grid = try Grid()
            defer { grid.window.close() }
            await grid.window.present()
            await grid.transport.waitForRequests(grid.binds)
            await grid.settle()
            #expect(grid.binds > 24)
            #expect(grid.transport.requests.count == Set(grid.transport.requests.map(\.url)).count)
        }

        @Test("a slow first image does not block the others")
        func slowImage() async throws {
            let grid = try Grid()
            defer { grid.window.close() }
            let gate = Gate()
            grid.transport.respond(Grid.url(0), with: .failure(.status(500), gate: gate))
            await grid.window.present()
            try await until { grid.binds > 24 && (1..<grid.binds).allSatisfy { grid.hasImage(at: $0) } }
            #expect(grid.manager.isRunning, "The first image is still loading.")
            try await until { (try? grid.firstRow())?.dropFirst() == [Grid.color(1), Grid.color(2), Grid.color(3)] }
            gate.open()
        }

        /// On a machine that draws slowly, the next frame is due as soon as one is drawn.
        @Test("loads proceed even if the next frame is always due", .timeLimit(.minutes(1)))
        func slowDrawing() async throws {
            let grid = try Grid()
            defer { grid.window.close() }
            let frames = g_idle_add_full(GDK_PRIORITY_REDRAW, { _ in 1 }, nil, nil)
            defer { g_source_remove(frames) }
            await grid.window.present()
            try await until { grid.binds > 24 && (0..<grid.binds).allSatisfy { grid.hasImage(at: $0) } }
        }

        @Test("a row that becomes visible needs one layout")
        func singleLayout() async throws {
            let grid = try Grid()
            defer { grid.window.close() }
            await grid.window.present()
            await grid.settle()
            let clock = try #require(gtk_widget_get_frame_clock(grid.view))
            let layouts = Emissions("layout", of: clock)
            gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(OpaquePointer(grid.scroller)), 60)
            var count = 0
            await grid.window.frame { count = layouts.count }
            #expect(count == 1)
            #expect(grid.targets.count { $0.target?.isLaidOut == true } > 16)
        }

        @Test("cells far from the visible part release their images")
        func distantCells() async throws {
            let grid = try Grid()
            defer { grid.window.close() }
            await grid.window.present()
            await grid.settle()
            #expect((0..<16).allSatisfy { grid.hasImage(at: $0) })
            grid.scroll(to: 10)
            try await until { (0..<16).allSatisfy { !grid.hasImage(at: $0) } }
            await grid.settle()
            #expect((40..<56).allSatisfy { grid.hasImage(at: $0) })
        }

        @Test("preloaded cells keep their images")
        func preloadedCells() async throws {
            let grid = try Grid()
            defer { grid.window.close() }
            await grid.window.present()
            try await until { grid.binds > 0 && (0..<grid.binds).allSatisfy { grid.hasImage(at: $0) } }
        }

        @Test("a cell that is scrolled back shows its image in the first frame, without a request")
        func scrollingBack() async throws {
            // Memory holds only a few rows, so that many released images are only on disk.
            let folder = FileManager.default.temporaryDirectory.appending(path: "easel-grid-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let grid = try Grid(
                cache: ImageCache(folder: folder) { $0.memory.maximumBytes = ByteCount(30 * 50 * 50 * 4) })
            defer { grid.window.close() }
            await grid.window.present()
            try await until { grid.binds > 0 && (0..<grid.binds).allSatisfy { grid.hasImage(at: $0) } }
            grid.scroll(to: 10)
            try await until { (0..<16).allSatisfy { !grid.hasImage(at: $0) } }
            let requests = grid.transport.requests.count
            for row in (0..<10).reversed() {
                let items = (row * 4)..<(row * 4 + 4)
                try await until { items.allSatisfy { grid.hasImage(at: $0) } }
                grid.scroll(to: row)
                // Afterwards, GTK 4.18 may already await another layout.
                var colors: [Pixel]?
                await grid.window.frame { colors = try? grid.firstRow() }
                #expect(colors == items.map { Grid.color($0) }, "row \(row)")
            }
            #expect(
                Set(grid.transport.requests.dropFirst(requests).map(\.url)).isDisjoint(
                    with: (0..<56).map { Grid.url($0) }))
        }

        @Test("a hidden list keeps its images")
        func hiddenList() async throws {
            let grid = try Grid()
            defer { grid.window.close() }
            await grid.window.present()
            await grid.settle()
            gtk_widget_set_visible(grid.scroller, 0)
            await grid.settle()
            #expect(grid.targets.allSatisfy { $0.target?.isLaidOut == false })
            #expect((0..<16).allSatisfy { grid.hasImage(at: $0) })
        }

        @Test("after scrolling through a thousand cells, closing the window releases everything")
        func thousandCells() async throws {
            let grid = try Grid()
            await grid.window.present()
            let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(grid.scroller))
            for step in 0...65 {
                gtk_adjustment_set_value(adjustment, Double(step * 200))
                await grid.window.frame()
            }
            gtk_adjustment_set_value(adjustment, gtk_adjustment_get_upper(adjustment))
            await grid.settle()
            // The last cell, at the bottom.
            let drawn = try grid.window.pixels(of: grid.view)
            #expect(drawn[drawn.width - 10, drawn.height - 10] == Grid.color(999))
            #expect(grid.binds >= 1_000)
            grid.window.close()
            for _ in 0..<5 { await Task.yield() }
            #expect(grid.targets.allSatisfy { $0.target == nil })
            #expect(!grid.manager.isRunning)
        }
    }
}

/// A counter of the emissions of a signal, active until it is released.
@MainActor
private final class Emissions {
    private(set) var count = 0
    private let object: UnsafeMutableRawPointer
    private var handler: gulong = 0

    init(_ signal: String, of object: OpaquePointer) {
        self.object = UnsafeMutableRawPointer(object)
        let call: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
            guard let data else { return }
            let emissions = Unmanaged<Emissions>.fromOpaque(data).takeUnretainedValue()
            MainActor.assumeIsolated { emissions.count += 1 }
        }
        handler = g_signal_connect_data(
            self.object, signal, unsafeBitCast(call, to: GCallback.self), Unmanaged.passUnretained(self).toOpaque(),
            nil, easel_connect_swapped)
    }

    isolated deinit { g_signal_handler_disconnect(object, handler) }
}

/// A grid of a thousand images in three colours and four columns.
@MainActor
private final class Grid {
    struct Reference {
        weak var target: WidgetTarget?
    }

    let transport = FakeTransport()
    let manager: ImageManager
    let window: TestWindow
    let scroller: UnsafeMutablePointer<GtkWidget>
    let view: UnsafeMutablePointer<GtkWidget>
    private(set) var targets: [Reference] = []
    private(set) var binds = 0
    private var items: [UnsafeMutablePointer<GtkWidget>: Int] = [:]

    static func url(_ index: Int) -> String { "http://images.test/\(index).png" }

    static func color(_ index: Int) -> Pixel { [Pixel.red, .green, .blue][index % 3] }

    init(cache: ImageCache = ImageCache(folder: nil as String?)) throws {
        try TestWindow.prepare()
        manager = .testing(over: transport, cache: cache)
        let files = (0..<3).map { TestImage.file(Self.color($0), 50, 50) }
        for index in 0..<1_000 {
            transport.respond(Self.url(index), with: .bytes(files[index % 3], type: "image/png"))
        }
        scroller = try #require(gtk_scrolled_window_new())
        window = try TestWindow(scroller, width: 200, height: 200)
        let strings = gtk_string_list_new(nil)
        for index in 0..<1_000 { gtk_string_list_append(strings, "\(index)") }
        let selection = gtk_no_selection_new(strings)
        view = try #require(gtk_grid_view_new(selection, nil))
        let grid = OpaquePointer(view)
        let factory = ImageCellFactory.make { [weak self] in
            let cell = ImageCellFactory.image(width: 50, height: 50)
            if let cell { self?.targets.append(Reference(target: WidgetTarget.existing(of: cell.image))) }
            return cell
        } bind: { [weak self, manager] cell, _, position in
            self?.binds += 1
            self?.items[cell.image] = position
            cell.image.easel.setImage(with: URL(string: Self.url(position)), manager: manager)
        }
        gtk_grid_view_set_factory(grid, factory)
        g_object_unref(UnsafeMutableRawPointer(factory))
        gtk_grid_view_set_min_columns(grid, 4)
        gtk_grid_view_set_max_columns(grid, 4)
        gtk_scrolled_window_set_policy(OpaquePointer(scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(OpaquePointer(scroller), view)
    }

    /// Returns whether the cell at a position shows its image.
    func hasImage(at index: Int) -> Bool {
        items.contains { $0.value == index && WidgetTarget.existing(of: $0.key)?.imageCount == 1 }
    }

    private var adjustment: UnsafeMutablePointer<GtkAdjustment>? {
        gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller))
    }

    private var rowHeight: Double { gtk_adjustment_get_upper(adjustment) / 250 }

    /// Scrolls a row to the top of the window.
    func scroll(to row: Int) { gtk_adjustment_set_value(adjustment, Double(row) * rowHeight) }

    /// Returns the pixels in the middles of the first row's cells.
    func firstRow() throws -> [Pixel] {
        let drawn = try window.pixels(of: view)
        return (0..<4).map { drawn[drawn.width * (2 * $0 + 1) / 8, Int(rowHeight / 2)] }
    }

    private var isWaiting: Bool { targets.contains { $0.target?.waiting.isEmpty == false } }

    /// Returns when no load runs or waits, and the result has been drawn.
    func settle() async {
        repeat { await window.frame() } while manager.isRunning || isWaiting
        await window.frame()
    }
}
#endif
