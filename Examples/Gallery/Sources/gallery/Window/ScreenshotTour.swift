import EaselGTK
import Foundation

/// Visits the pages of the gallery and writes screenshots.
@MainActor
final class ScreenshotTour {
    struct MissingShot: Error, CustomStringConvertible {
        let path: String
        var description: String { "Cannot write \(path)." }
    }

    private let window: GalleryWindow
    private let folder: String
    /// Called after the next frame was drawn.
    private var didPaint: (@MainActor () -> Void)?

    init(_ window: GalleryWindow, folder: String) {
        self.window = window
        self.folder = folder
    }

    /// Writes all screenshots. Throws at the first that cannot be written.
    func run() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if let clock = gtk_widget_get_frame_clock(window.window) {
            connect(clock, "after-paint") { [weak self] in
                guard let self else { return }
                exchange(&didPaint, with: nil)?()
            }
        }
        await settle()
        try await write("gallery-grid")
        window.grid.scroll(to: 2_400)
        await settle()
        window.grid.scroll(to: 0)
        await settle()
        try await write("gallery-cached")
        window.open(window.library.images.indices.first { window.library.images[$0].source != nil } ?? 0)
        await settle()
        try await write("gallery-detail")
        guard let animated = window.library.images.indices.first(where: { window.library.images[$0].isAnimated })
        else { throw MissingShot(path: path(of: "gallery-animation")) }
        window.open(animated)
        await settle()
        try await write("gallery-animation")
        window.close()
        window.setNetworkCut(true)
        window.library.clearMemory()
        window.grid.scroll(to: 1_800)
        await settle()
        window.grid.scroll(to: 30_000)
        await settle()
        try await write("gallery-offline")
        window.setNetworkCut(false)
        window.find("moons animated")
        await settle()
        try await write("gallery-search")
    }

    /// Waits until all loads and transitions have ended.
    private func settle() async {
        repeat { try? await Task.sleep(for: .milliseconds(400)) } while window.library.manager.statistics.inFlight > 0
        try? await Task.sleep(for: .milliseconds(500))
    }

    private func path(of name: String) -> String { "\(folder)/\(name).png" }

    /// Writes the content of the window after a frame was drawn. GTK has no render node for a widget that waits to be
    /// redrawn.
    private func write(_ name: String) async throws {
        let path = path(of: name)
        let isWritten = await withCheckedContinuation { continuation in
            didPaint = { [window] in continuation.resume(returning: Self.save(window.window, to: path)) }
            gtk_widget_queue_draw(window.window)
        }
        guard isWritten else { throw MissingShot(path: path) }
        print(path)
    }

    private static func save(_ widget: Widget, to path: String) -> Bool {
        guard let paintable = gtk_widget_paintable_new(widget), let snapshot = gtk_snapshot_new(),
            let native = gtk_widget_get_native(widget), let renderer = gtk_native_get_renderer(native)
        else { return false }
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        let (width, height) = (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        guard let node = gtk_snapshot_free_to_node(snapshot) else { return false }
        defer { gsk_render_node_unref(node) }
        guard let texture = gsk_renderer_render_texture(renderer, node, nil) else { return false }
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        return gdk_texture_save_to_png(texture, path) != 0
    }
}
