import EaselGTK
import Foundation

/// Goes through the gallery by itself, and writes what is seen into files.
@MainActor
final class ScreenshotTour {
    private let window: GalleryWindow
    private let folder: String

    init(_ window: GalleryWindow, folder: String) {
        self.window = window
        self.folder = folder
    }

    func run() async {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        await settle()
        write("gallery-grid")
        window.grid.scroll(to: 2_400)
        await settle()
        window.grid.scroll(to: 0)
        await settle()
        write("gallery-cached")
        window.open(window.library.pictures.indices.first { window.library.pictures[$0].source != nil } ?? 0)
        await settle()
        write("gallery-detail")
        if let animated = window.library.pictures.indices.first(where: { window.library.pictures[$0].isAnimated }) {
            window.open(animated)
            await settle()
            write("gallery-animation")
        }
        window.close()
        window.setNetworkCut(true)
        window.library.clearMemory()
        window.grid.scroll(to: 1_800)
        await settle()
        window.grid.scroll(to: 30_000)
        await settle()
        write("gallery-offline")
        window.setNetworkCut(false)
        window.find("moons animated")
        await settle()
        write("gallery-search")
    }

    /// Returns when nothing loads, and what came has faded in.
    private func settle() async {
        repeat { try? await Task.sleep(for: .milliseconds(400)) } while window.library.manager.isRunning
        try? await Task.sleep(for: .milliseconds(500))
    }

    private func write(_ name: String) {
        let widget = window.window
        guard let paintable = gtk_widget_paintable_new(widget), let snapshot = gtk_snapshot_new(),
            let native = gtk_widget_get_native(widget), let renderer = gtk_native_get_renderer(native)
        else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        let (width, height) = (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        guard let node = gtk_snapshot_free_to_node(snapshot) else { return }
        defer { gsk_render_node_unref(node) }
        guard let texture = gsk_renderer_render_texture(renderer, node, nil) else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        let path = "\(folder)/\(name).png"
        if gdk_texture_save_to_png(texture, path) != 0 { print(path) }
    }
}
