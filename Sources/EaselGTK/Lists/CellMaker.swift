#if GTK
import CGTK
import EaselCore

/// Implements the signals of an `ImageCellFactory`.
@MainActor
final class CellMaker {
    fileprivate typealias Widget = UnsafeMutablePointer<GtkWidget>
    fileprivate typealias Step = @MainActor (CellMaker, _ listItem: OpaquePointer) -> Void

    /// A cell with its bound list item.
    fileprivate struct Bound {
        let listItem: OpaquePointer
        let image: Widget
        /// Whether the cell was visible since it was bound.
        var wasSeen = false
        var hasLetGo = false
    }

    private static let key = "easel-image"
    private let cell: @MainActor () -> ImageCellFactory.Cell?
    private let bind: @MainActor (ImageCellFactory.Cell, UnsafeMutablePointer<GObject>?, Int) -> Void
    private var bound: [Widget: Bound] = [:]
    private var isGoingToLook = false

    init(
        cell: @escaping @MainActor () -> ImageCellFactory.Cell?,
        bind: @escaping @MainActor (ImageCellFactory.Cell, UnsafeMutablePointer<GObject>?, Int) -> Void
    ) {
        self.cell = cell
        self.bind = bind
    }

    /// Connects to the signals of a factory, which retains this object.
    func connect(to factory: OpaquePointer) {
        connect("setup", of: factory) { $0.setUp($1) }
        connect("bind", of: factory) { $0.bind($1) }
        connect("unbind", of: factory) { $0.unbind($1) }
    }

    private func connect(_ signal: String, of factory: OpaquePointer, _ step: @escaping Step) {
        // Each handler retains the maker and is released with the factory.
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
        let cell = Bound(listItem: item, image: image.assumingMemoryBound(to: GtkWidget.self))
        bound[root] = cell
        fill(cell, root)
        cell.image.easel.existing?.sightDidChange = { [weak self] isSeen in
            self?.sightDidChange(of: root, isSeen: isSeen)
        }
    }

    private func unbind(_ item: OpaquePointer) {
        guard let root = gtk_list_item_get_child(item), let cell = bound.removeValue(forKey: root) else { return }
        cell.image.easel.existing?.reset(finishes: true)
    }

    private func fill(_ cell: Bound, _ root: Widget) {
        let object = gtk_list_item_get_item(cell.listItem)?.assumingMemoryBound(to: GObject.self)
        bind(ImageCellFactory.Cell(root: root, image: cell.image), object, cell.position)
    }

    // MARK: - Visibility

    private func sightDidChange(of root: Widget, isSeen: Bool) {
        guard let cell = bound[root] else { return }
        bound[root]?.wasSeen = true
        if isSeen, cell.hasLetGo { fillAgain(root) }
        lookSoon()
    }

    /// Schedules `look()` after this frame has been laid out and drawn.
    private func lookSoon() {
        guard !isGoingToLook else { return }
        isGoingToLook = true
        // Uses the priority of drawing: at a lower one, slow frames would leave no time for this.
        g_idle_add_full(
            GDK_PRIORITY_REDRAW,
            { data in
                guard let data else { return 0 }
                let maker = Unmanaged<CellMaker>.fromOpaque(data).takeUnretainedValue()
                MainActor.assumeIsolated { maker.look() }
                return 0
            }, Unmanaged.passRetained(self).toOpaque(),
            { data in
                guard let data else { return }
                Unmanaged<CellMaker>.fromOpaque(data).release()
            })
    }

    /// Releases the images of distant cells and reloads those of near ones.
    private func look() {
        isGoingToLook = false
        // If no cell is visible, the list is on a hidden page and stays unchanged.
        guard let sight = Sight(of: bound.values.lazy.filter(\.isSeen).map(\.position)) else { return }
        for root in Array(bound.keys) {
            // Filling a cell may change the list and unbind other cells.
            guard let cell = bound[root] else { continue }
            if cell.hasLetGo {
                if sight.isNear(cell.position) { fillAgain(root) }
            } else if cell.wasSeen, cell.mayLetGo, sight.isFar(cell.position) {
                bound[root]?.hasLetGo = true
                cell.image.easel.existing?.reset(finishes: true)
            }
        }
    }

    private func fillAgain(_ root: Widget) {
        bound[root]?.hasLetGo = false
        guard let cell = bound[root] else { return }
        fill(cell, root)
        // It was loaded before, so it does not queue with cells that were not.
        cell.image.easel.existing?.beginWaiting()
    }
}

extension CellMaker.Bound {
    @MainActor var position: Int { Int(gtk_list_item_get_position(listItem)) }

    @MainActor var isSeen: Bool { image.easel.existing?.isLaidOut == true }

    /// Whether the image can be released without changing the layout.
    @MainActor var mayLetGo: Bool {
        guard let target = image.easel.existing else { return false }
        return target.loadStart == .ahead && !target.hasNaturalSize
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
