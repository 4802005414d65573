#if GTK
public import CGTK
public import Easel

/// Creates the image cells of a `GtkGridView`, `GtkListView` or `GtkColumnView`.
///
/// ```swift
/// let factory = ImageCellFactory.make(width: 160, height: 120) { _, position in ImageRequest(urls[position]) }
/// let grid = gtk_grid_view_new(model, factory)!
/// ```
///
/// GTK binds many more cells than it shows. Visible cells load first. Then the others are preloaded
/// (`LoadStart.ahead`), a few at a time and at most eight before the first screen has been drawn. Cells far from the
/// visible area release their images, which stay in the caches, and reload them before they come back. A reused cell
/// never shows its previous image.
@MainActor
public enum ImageCellFactory {
    /// A cell: the root widget and the widget that shows the image.
    public struct Cell {
        /// The root widget of the cell.
        public var root: UnsafeMutablePointer<GtkWidget>
        /// The widget that shows the image: the root or a descendant.
        public var image: UnsafeMutablePointer<GtkWidget>

        /// Creates a cell. By default the image is the root.
        public init(
            root: UnsafeMutablePointer<GtkWidget>, image: UnsafeMutablePointer<GtkWidget>? = nil
        ) {
            self.root = root
            self.image = image ?? root
        }
    }

    /// Returns a cell with an image of one size, which it fills and preloads.
    ///
    /// - Parameters:
    ///   - width: In points.
    ///   - height: In points.
    public static func image(width: Int, height: Int) -> Cell? {
        guard let image = gtk_picture_new() else { return nil }
        gtk_widget_set_size_request(image, gint(width), gint(height))
        image.easel.contentFit = .cover
        image.easel.placeholderColor = .placeholder
        image.easel.loadStart = .ahead
        return Cell(root: image)
    }

    /// Creates a factory whose cells are images of one size. See `make(cell:bind:)`.
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

    /// Creates a factory of custom cells.
    ///
    /// - Parameters:
    ///   - cell: Creates an empty cell, or returns `nil` for none.
    ///   - bind: Configures a cell for an item of the model and sets its image. Its loads are cancelled when the cell
    ///     is unbound, except for requests already sent to a server. A preloaded cell of fixed size is bound to the
    ///     same item again before it scrolls back into view.
    /// - Returns: A `GtkListItemFactory` that the caller owns. `gtk_grid_view_new` takes ownership.
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
