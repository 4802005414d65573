#if GTK
public import CGTK
public import Easel

/// A factory that creates the image cells of a `GtkGridView`, `GtkListView` or `GtkColumnView`.
///
/// ```swift
/// let factory = ImageCellFactory.make(width: 160, height: 120) { _, position in ImageRequest(urls[position]) }
/// let grid = gtk_grid_view_new(model, factory)!
/// ```
///
/// GTK binds many more cells than it shows. Visible cells load first. Then the others are preloaded
/// (`LoadStart.preload`), a few at a time and at most eight before the first screen has been drawn. Cells far from the
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
        image.easel.loadStart = .preload
        return Cell(root: image)
    }

    /// Creates a factory of cells with images of one size. See `make(cell:bind:)`.
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
        let cells = CellManager(cell: cell, bind: bind)
        cells.connect(to: factory)
        return factory
    }
}

@MainActor
final class CellManager {
    fileprivate typealias Widget = UnsafeMutablePointer<GtkWidget>

    fileprivate struct BoundCell {
        let listItem: OpaquePointer
        let image: Widget
        /// Whether the cell was visible since it was bound.
        var wasVisible = false
        var isReleased = false
    }

    private static let key = "easel-image"
    private let cell: @MainActor () -> ImageCellFactory.Cell?
    private let bind: @MainActor (ImageCellFactory.Cell, UnsafeMutablePointer<GObject>?, Int) -> Void
    private var bound: [Widget: BoundCell] = [:]
    private var isUpdateScheduled = false

    init(
        cell: @escaping @MainActor () -> ImageCellFactory.Cell?,
        bind: @escaping @MainActor (ImageCellFactory.Cell, UnsafeMutablePointer<GObject>?, Int) -> Void
    ) {
        self.cell = cell
        self.bind = bind
    }

    /// Connects to the signals of a factory, which retains this object.
    func connect(to factory: OpaquePointer) {
        let factory = UnsafeMutablePointer<GObject>(factory)
        factory.connect("setup") { [self] item in item.map(setUp) }
        factory.connect("bind") { [self] item in item.map(bind) }
        factory.connect("unbind") { [self] item in item.map(unbind) }
    }

    // MARK: - Signals of the list

    private func setUp(_ item: OpaquePointer) {
        guard let cell = cell() else { return }
        gtk_list_item_set_child(item, cell.root)
        // The image is inside the child and is destroyed with it.
        g_object_set_data(cell.root.object, Self.key, cell.image)
    }

    private func bind(_ item: OpaquePointer) {
        guard let root = gtk_list_item_get_child(item), let image = g_object_get_data(root.object, Self.key) else {
            return
        }
        let cell = BoundCell(listItem: item, image: image.assumingMemoryBound(to: GtkWidget.self))
        bound[root] = cell
        fill(cell, root)
        cell.image.easel.existing?.visibilityDidChange = { [weak self] isVisible in
            self?.visibilityDidChange(of: root, isVisible: isVisible)
        }
    }

    private func unbind(_ item: OpaquePointer) {
        guard let root = gtk_list_item_get_child(item), let cell = bound.removeValue(forKey: root) else { return }
        cell.image.easel.existing?.reset(finishes: true)
    }

    private func fill(_ cell: BoundCell, _ root: Widget) {
        let object = gtk_list_item_get_item(cell.listItem)?.assumingMemoryBound(to: GObject.self)
        bind(ImageCellFactory.Cell(root: root, image: cell.image), object, cell.position)
    }

    // MARK: - Visibility

    private func visibilityDidChange(of root: Widget, isVisible: Bool) {
        guard let cell = bound[root] else { return }
        bound[root]?.wasVisible = true
        if isVisible, cell.isReleased { reload(root) }
        scheduleUpdate()
    }

    /// Schedules `updateImages()` after this frame has been laid out and drawn.
    private func scheduleUpdate() {
        guard !isUpdateScheduled else { return }
        isUpdateScheduled = true
        ScheduledCall { [self] in updateImages() }
    }

    /// Releases the images of distant cells and reloads those of near ones.
    private func updateImages() {
        isUpdateScheduled = false
        // If no cell is visible, the list is on a hidden page and stays unchanged.
        guard let range = VisibleRange(of: bound.values.filter(\.isVisible).map(\.position)) else { return }
        for root in Array(bound.keys) {
            // Filling a cell may change the list and unbind other cells.
            guard let cell = bound[root] else { continue }
            if cell.isReleased {
                if range.isNear(cell.position) { reload(root) }
            } else if cell.wasVisible, cell.canRelease, range.isFar(cell.position) {
                bound[root]?.isReleased = true
                cell.image.easel.existing?.reset(finishes: true)
            }
        }
    }

    private func reload(_ root: Widget) {
        bound[root]?.isReleased = false
        guard let cell = bound[root] else { return }
        fill(cell, root)
        // It was loaded before, so it does not queue with cells that were not.
        cell.image.easel.existing?.startWaitingLoads()
    }
}

extension CellManager.BoundCell {
    @MainActor var position: Int { Int(gtk_list_item_get_position(listItem)) }

    @MainActor var isVisible: Bool { image.easel.existing?.isLaidOut == true }

    /// Whether the image can be released without changing the layout.
    @MainActor var canRelease: Bool {
        guard let target = image.easel.existing else { return false }
        return target.loadStart == .preload && !target.hasNaturalSize
    }
}
#endif
