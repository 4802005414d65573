import EaselGTK
import Foundation

/// A grid of all images, or of search results.
@MainActor
final class GridPage {
    private static let cell = PixelSize(196, 147)

    let root: Widget
    let view: Widget
    var didActivate: (Int) -> Void = { _ in }
    private let library: GalleryLibrary
    private let scroller: Widget
    private let empty = Make.label("No images match the search.", "empty")
    /// The library indexes of the shown images as strings, which a GTK list can hold without a custom class.
    private let model: OpaquePointer
    private let selection: OpaquePointer
    private var shownIndexes: [Int] = []
    private var query = ""

    init(_ library: GalleryLibrary) {
        self.library = library
        root = unwrap(gtk_overlay_new())
        scroller = unwrap(gtk_scrolled_window_new())
        guard let model = gtk_string_list_new(nil), let selection = gtk_single_selection_new(model) else {
            preconditionFailure("GObject makes every object of a registered class")
        }
        self.model = model
        self.selection = selection
        gtk_single_selection_set_autoselect(selection, 0)
        gtk_single_selection_set_can_unselect(selection, 1)
        view = unwrap(gtk_grid_view_new(selection, nil))
        build()
        find("")
    }

    /// Shows the images that match a query, or all for an empty query.
    func find(_ query: String) {
        self.query = query
        let found = library.images.indices.filter { library.matches($0, query) }
        shownIndexes = Array(found)
        let names = shownIndexes.map { strdup("\($0)") }
        defer { names.forEach { free($0) } }
        var pointers: [UnsafePointer<CChar>?] = names.map { UnsafePointer($0) } + [nil]
        gtk_string_list_splice(model, 0, g_list_model_get_n_items(model), &pointers)
        gtk_widget_set_visible(empty, shownIndexes.isEmpty ? 1 : 0)
    }

    /// Sets all cells again, which queries the caches again.
    func reload() { find(query) }

    /// Returns the image at this distance from another.
    func neighbour(of index: Int, by distance: Int) -> Int {
        guard let position = shownIndexes.firstIndex(of: index), !shownIndexes.isEmpty else { return index }
        return shownIndexes[(position + distance + shownIndexes.count) % shownIndexes.count]
    }

    func scroll(to position: Double) {
        gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(scroller.opaque), position)
    }

    private func build() {
        let grid = view.opaque
        gtk_grid_view_set_min_columns(grid, 2)
        gtk_grid_view_set_max_columns(grid, 12)
        view.style("gallery-grid")
        let factory = ImageCellFactory.make {
            Self.makeCell()
        } bind: { [unowned self] cell, _, position in
            bind(cell, position)
        }
        gtk_grid_view_set_factory(grid, factory)
        g_object_unref(UnsafeMutableRawPointer(factory))
        connectActivation()
        gtk_scrolled_window_set_policy(scroller.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(scroller.opaque, view)
        gtk_overlay_set_child(root.opaque, scroller)
        gtk_widget_set_halign(empty, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(empty, GTK_ALIGN_CENTER)
        gtk_overlay_add_overlay(root.opaque, empty)
    }

    // MARK: - Cells

    /// Creates an image with rounded corners and a badge of its source.
    private static func makeCell() -> ImageCellFactory.Cell? {
        guard let cell = ImageCellFactory.image(width: cell.width, height: cell.height) else { return nil }
        let overlay = unwrap(gtk_overlay_new())
        gtk_overlay_set_child(overlay.opaque, cell.image)
        let badge = Make.label("", "badge")
        gtk_widget_set_halign(badge, GTK_ALIGN_END)
        gtk_widget_set_valign(badge, GTK_ALIGN_END)
        gtk_widget_set_visible(badge, 0)
        gtk_overlay_add_overlay(overlay.opaque, badge)
        overlay.style("gallery-cell")
        gtk_widget_set_overflow(overlay, GTK_OVERFLOW_HIDDEN)
        cell.image.easel.transition = .fade(duration: .milliseconds(220))
        cell.image.easel.indicator = .progressRing
        return ImageCellFactory.Cell(root: overlay, image: cell.image)
    }

    private func bind(_ cell: ImageCellFactory.Cell, _ position: Int) {
        guard shownIndexes.indices.contains(position) else { return }
        let index = shownIndexes[position]
        let badge = gtk_widget_get_last_child(cell.root)
        if let badge { gtk_widget_set_visible(badge, 0) }
        cell.image.easel.setImage(
            with: ImageRequest(library.images[index].url) { $0.options = .retryFailed },
            errorPlaceholder: .color(ImageColor(0x2E2427)), manager: library.manager
        ) { [unowned self] outcome in
            library.note(outcome, of: index)
            if let badge { show(outcome, of: index, on: badge) }
        }
    }

    private func show(_ outcome: Result<ImageResponse, ImageError>, of index: Int, on badge: Widget) {
        let text: String? =
            switch outcome {
            case .success(let response): (library.images[index].isAnimated ? "▶ " : "") + response.source.rawValue
            case .failure(.cancelled): nil
            case .failure: "failed"
            }
        guard let text else { return }
        gtk_label_set_text(badge.opaque, text)
        gtk_widget_set_visible(badge, 1)
    }

    // MARK: - Activation

    private func connectActivation() {
        let call: @convention(c) (OpaquePointer?, guint, UnsafeMutableRawPointer?) -> Void = { _, position, data in
            guard let data else { return }
            let page = Unmanaged<GridPage>.fromOpaque(data).takeUnretainedValue()
            MainActor.assumeIsolated { page.activate(Int(position)) }
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(view), "activate", unsafeBitCast(call, to: GCallback.self),
            Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(rawValue: 0))
        gtk_grid_view_set_single_click_activate(view.opaque, 1)
    }

    private func activate(_ position: Int) {
        if shownIndexes.indices.contains(position) { didActivate(shownIndexes[position]) }
    }
}
