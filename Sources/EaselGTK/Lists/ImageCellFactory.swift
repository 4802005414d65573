#if GTK
public import CGTK
public import Easel

/// Makes the cells of a `GtkGridView`, `GtkListView` or `GtkColumnView` that show images.
///
/// ```swift
/// let factory = ImageCellFactory.make(width: 160, height: 120) { _, position in ImageRequest(urls[position]) }
/// let grid = gtk_grid_view_new(model, factory)!
/// ```
///
/// GTK binds many more cells than it shows: those that are seen load first, and the others ahead, a few at a time, when that is
/// done (`LoadStart.ahead`); no more than eight before the first screen has been drawn. Those that were seen and are far from it
/// now release their images, which the caches keep, and load them again before they come back. A cell that is used again
/// never shows what it was used for before.
@MainActor
public enum ImageCellFactory {
    /// One cell: what the list shows, and the widget in it that shows the image.
    public struct Cell {
        /// What the list shows.
        public var root: UnsafeMutablePointer<GtkWidget>
        /// What shows the image: the root, or a part of it.
        public var image: UnsafeMutablePointer<GtkWidget>

        /// A cell that is nothing but its image, or has more around it.
        public init(
            root: UnsafeMutablePointer<GtkWidget>, image: UnsafeMutablePointer<GtkWidget>? = nil
        ) {
            self.root = root
            self.image = image ?? root
        }
    }

    /// An image of one size, which it fills, and which is loaded ahead.
    ///
    /// - Parameters:
    ///   - width: in points.
    ///   - height: in points.
    public static func image(width: Int, height: Int) -> Cell? {
        guard let image = gtk_picture_new() else { return nil }
        gtk_widget_set_size_request(image, gint(width), gint(height))
        image.easel.contentFit = .cover
        image.easel.placeholderColor = .placeholder
        image.easel.loadStart = .ahead
        return Cell(root: image)
    }

    /// A factory whose cells are images of one size. See `make(cell:bind:)`.
    public static func make(
        width: Int, height: Int, manager: ImageManager = .shared,
        request: @escaping @MainActor (_ item: UnsafeMutablePointer<GObject>?, _ position: Int) -> ImageRequest?
    ) -> OpaquePointer {
        make {
            image(width: width, height: height)
        } bind: { cell, item, position in
            guard let request = request(item, position) else { return cell.image.easel.clear() }
            cell.image.easel.setImage(with: request, manager: manager)
        }
    }

    /// A factory of any cells.
    ///
    /// - Parameters:
    ///   - cell: makes an empty one; `nil` leaves it empty.
    ///   - bind: fills one for an item of the model, and sets its image. Its loads end when the cell is unbound, except requests
    ///     that have been sent to a server. A cell that is loaded ahead and has a size of its own is filled again, for the same
    ///     item, when it comes back from far out of sight.
    /// - Returns: a `GtkListItemFactory` that the caller owns: `gtk_grid_view_new` takes it over.
    public static func make(
        cell: @escaping @MainActor () -> Cell?,
        bind: @escaping @MainActor (_ cell: Cell, _ item: UnsafeMutablePointer<GObject>?, _ position: Int) -> Void
    ) -> OpaquePointer {
        guard let factory = gtk_signal_list_item_factory_new() else {
            preconditionFailure("GObject makes every object of a registered class")
        }
        let cells = CellMaker(cell: cell, bind: bind)
        cells.connect(to: factory)
        return factory
    }
}
#endif
