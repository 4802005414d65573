import EaselGTK
import Foundation

/// A window with a grid of equal cells, which tracks the visible cells that are complete.
@MainActor
final class BenchGrid {
    static let columns = 8
    static let cell = PixelSize(160, 120)

    let window: Widget
    let adjustment: UnsafeMutablePointer<GtkAdjustment>?
    private let scroller: Widget
    private let grid: Widget
    private let urls: [URL]
    private var count: Int { urls.count }
    private let height: Int
    /// The items whose cells show their images.
    private var complete: Set<Int> = []
    /// The errors of failed items.
    private var failures: [Int: ImageError] = [:]
    /// The image widgets by item.
    private var images: [Int: Widget] = [:]

    init(_ urls: [URL], height: Int, manager: ImageManager) {
        self.urls = urls
        self.height = height
        window = unwrap(gtk_window_new())
        scroller = unwrap(gtk_scrolled_window_new())
        let names = gtk_string_list_new(nil)
        for url in urls { gtk_string_list_append(names, url.absoluteString) }
        grid = unwrap(gtk_grid_view_new(gtk_no_selection_new(names), nil))
        adjustment = gtk_scrolled_window_get_vadjustment(scroller.opaque)
        gtk_window_set_decorated(window.window, 0)
        gtk_window_set_default_size(window.window, gint(Self.columns * Self.cell.width), gint(height))
        gtk_scrolled_window_set_policy(scroller.opaque, GTK_POLICY_NEVER, GTK_POLICY_EXTERNAL)
        gtk_grid_view_set_min_columns(grid.opaque, guint(Self.columns))
        gtk_grid_view_set_max_columns(grid.opaque, guint(Self.columns))
        gtk_scrolled_window_set_child(scroller.opaque, grid)
        gtk_window_set_child(window.window, scroller)
        let factory = ImageCellFactory.make {
            let cell = ImageCellFactory.image(width: Self.cell.width, height: Self.cell.height)
            cell?.image.easel.placeholderColor = AdaptiveColor(ImageColor(0xFF00FF))
            return cell
        } bind: { [weak self] cell, _, index in
            self?.complete.remove(index)
            self?.images[index] = cell.image
            cell.image.easel.setImage(with: urls[index], manager: manager) { outcome in
                switch outcome {
                case .success: self?.complete.insert(index)
                case .failure(let error): self?.failures[index] = error
                }
            }
        }
        gtk_grid_view_set_factory(grid.opaque, factory)
        g_object_unref(UnsafeMutableRawPointer(factory))
    }

    private var visible: Range<Int> {
        let top = gtk_adjustment_get_value(adjustment)
        let first = Int(top) / Self.cell.height * Self.columns
        let last = (Int(top) + height + Self.cell.height - 1) / Self.cell.height * Self.columns
        return min(first, count)..<min(last, count)
    }

    /// The number of cells on a screen.
    var screen: Int { height / Self.cell.height * Self.columns }

    /// Shows the images of the first screen in different cells of it.
    func shift(by offset: Int, manager: ImageManager) {
        for (index, image) in images where index < screen {
            image.easel.setImage(with: urls[(index + offset) % screen], manager: manager)
        }
    }

    var isComplete: Bool { visible.allSatisfy { complete.contains($0) || isSkipped($0) } }

    /// Returns whether GTK has no cell for a visible item. If only a few points of a row are visible, GTK 4.8 omits the
    /// cells at its end until the next scroll.
    private func isSkipped(_ index: Int) -> Bool {
        index >= visible.upperBound - Self.columns && images[index]?.easel.url != urls[index]
    }

    /// The state of the visible cells without image.
    var blanks: String {
        visible.filter { !complete.contains($0) && !isSkipped($0) }.map { index in
            guard let cell = images[index] else { return "\(index) was never bound" }
            let visibility = gtk_widget_get_mapped(cell) != 0 ? "visible" : "not visible"
            let isLoading = cell.easel.task() != nil ? "loading" : cell.easel.isLoading() ? "waiting" : "not loading"
            return "\(index) is \(visibility), \(isLoading)\(failures[index].map { ", failed: \($0)" } ?? "")"
        }.joined(separator: "; ")
    }

    var position: Double {
        get { gtk_adjustment_get_value(adjustment) }
        set { gtk_adjustment_set_value(adjustment, newValue) }
    }

    /// The maximum scroll position.
    var end: Double { Double((count + Self.columns - 1) / Self.columns * Self.cell.height - height) }

    var clock: OpaquePointer? { gtk_widget_get_frame_clock(window) }
}
