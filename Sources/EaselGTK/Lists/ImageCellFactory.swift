#if GTK
public import CGTK
public import Easel

/// Makes the cells of a `GtkGridView`, `GtkListView` or `GtkColumnView` that show pictures.
///
/// ```swift
/// let factory = ImageCellFactory.make(width: 160, height: 120) { _, position in ImageRequest(urls[position]) }
/// let grid = gtk_grid_view_new(model, factory)!
/// ```
///
/// GTK binds many more cells than it shows: those that are seen load first, and the others ahead, a few at a time, when that is
/// done (`LoadStart.ahead`). A cell that is used again never shows what it was used for before.
@MainActor
public enum ImageCellFactory {
    /// One cell: what the list shows, and the widget in it that shows the picture.
    public struct Cell {
        /// What the list shows.
        public var root: UnsafeMutablePointer<GtkWidget>
        /// What shows the picture: the root, or a part of it.
        public var picture: UnsafeMutablePointer<GtkWidget>

        /// A cell that is nothing but its picture, or has more around it.
        public init(
            root: UnsafeMutablePointer<GtkWidget>, picture: UnsafeMutablePointer<GtkWidget>? = nil
        ) {
            self.root = root
            self.picture = picture ?? root
        }
    }

    /// A picture of one size, which it fills, and which is loaded ahead.
    ///
    /// - Parameters:
    ///   - width: in points.
    ///   - height: in points.
    public static func picture(width: Int, height: Int) -> Cell? {
        guard let picture = gtk_picture_new() else { return nil }
        gtk_widget_set_size_request(picture, gint(width), gint(height))
        picture.easel.contentFit = .cover
        picture.easel.placeholderColor = .placeholder
        picture.easel.loadStart = .ahead
        return Cell(root: picture)
    }

    /// A factory whose cells are pictures of one size. See `make(cell:bind:)`.
    public static func make(
        width: Int, height: Int, manager: ImageManager = .shared,
        request: @escaping @MainActor (_ item: UnsafeMutablePointer<GObject>?, _ position: Int) -> ImageRequest?
    ) -> OpaquePointer {
        make {
            picture(width: width, height: height)
        } bind: { cell, item, position in
            guard let request = request(item, position) else { return cell.picture.easel.clear() }
            cell.picture.easel.setImage(with: request, manager: manager)
        }
    }

    /// A factory of any cells.
    ///
    /// - Parameters:
    ///   - cell: makes an empty one; `nil` leaves it empty.
    ///   - bind: fills one for an item of the model. It sets the picture's image; whatever it loads ends when the cell is unbound, but
    ///     for what a server has been asked for.
    /// - Returns: a `GtkListItemFactory` that the caller owns: `gtk_grid_view_new` takes it over.
    public static func make(
        cell: @escaping @MainActor () -> Cell?,
        bind: @escaping @MainActor (_ cell: Cell, _ item: UnsafeMutablePointer<GObject>?, _ position: Int) -> Void
    ) -> OpaquePointer {
        guard let factory = gtk_signal_list_item_factory_new() else {
            preconditionFailure("GObject makes every object of a registered class")
        }
        let cells = CellMaker(cell: cell, bind: bind)
        cells.connect("setup", of: factory) { $0.setUp($1) }
        cells.connect("bind", of: factory) { $0.bind($1) }
        cells.connect("unbind", of: factory) { $0.unbind($1) }
        return factory
    }
}

/// What a factory's signals do.
@MainActor
private final class CellMaker {
    typealias Step = @MainActor (CellMaker, _ listItem: OpaquePointer) -> Void

    private static let key = "easel-picture"
    private let cell: @MainActor () -> ImageCellFactory.Cell?
    private let bind: @MainActor (ImageCellFactory.Cell, UnsafeMutablePointer<GObject>?, Int) -> Void

    init(
        cell: @escaping @MainActor () -> ImageCellFactory.Cell?,
        bind: @escaping @MainActor (ImageCellFactory.Cell, UnsafeMutablePointer<GObject>?, Int) -> Void
    ) {
        self.cell = cell
        self.bind = bind
    }

    func connect(_ signal: String, of factory: OpaquePointer, _ step: @escaping Step) {
        // Each handler keeps the maker, and goes with the factory.
        let handler = CellHandler(maker: self, step: step)
        let call: @convention(c) (OpaquePointer?, OpaquePointer?, UnsafeMutableRawPointer?) -> Void = { _, item, data in
            guard let item, let data else { return }
            nonisolated(unsafe) let handler = Unmanaged<CellHandler>.fromOpaque(data).takeUnretainedValue()
            nonisolated(unsafe) let listItem = item
            MainActor.assumeIsolated { handler.step(handler.maker, listItem) }
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(factory), signal, unsafeBitCast(call, to: GCallback.self),
            Unmanaged.passRetained(handler).toOpaque(),
            { data, _ in
                guard let data else { return }
                Unmanaged<CellHandler>.fromOpaque(data).release()
            }, GConnectFlags(rawValue: 0))
    }

    func setUp(_ item: OpaquePointer) {
        guard let cell = cell() else { return }
        gtk_list_item_set_child(item, cell.root)
        // The picture is inside of the child, and goes with it.
        g_object_set_data(cell.root.object, Self.key, cell.picture)
    }

    func bind(_ item: OpaquePointer) {
        guard let cell = boundCell(item) else { return }
        let object = gtk_list_item_get_item(item)?.assumingMemoryBound(to: GObject.self)
        bind(cell, object, Int(gtk_list_item_get_position(item)))
    }

    func unbind(_ item: OpaquePointer) {
        boundCell(item)?.picture.easel.existing?.reset(finishes: true)
    }

    private func boundCell(_ item: OpaquePointer) -> ImageCellFactory.Cell? {
        guard let root = gtk_list_item_get_child(item),
            let picture = g_object_get_data(root.object, Self.key)
        else { return nil }
        return ImageCellFactory.Cell(root: root, picture: picture.assumingMemoryBound(to: GtkWidget.self))
    }
}

private final class CellHandler {
    let maker: CellMaker
    let step: CellMaker.Step

    init(maker: CellMaker, step: @escaping CellMaker.Step) {
        self.maker = maker
        self.step = step
    }
}
#endif
