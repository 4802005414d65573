import EaselGTK
import Foundation

/// The window, with a grid of all images or a single image, and a panel of counters.
@MainActor
final class GalleryWindow {
    let window: Widget
    let library: GalleryLibrary
    let grid: GridPage
    let detail: DetailPage
    private let panel: CountersPanel
    private let pages: Widget
    private let search: Widget
    private let backButton: Widget
    private let cut: Widget
    private let panelToggle: Widget

    init(_ library: GalleryLibrary) {
        self.library = library
        window = unwrap(gtk_window_new())
        grid = GridPage(library)
        detail = DetailPage(library)
        panel = CountersPanel(library)
        pages = unwrap(gtk_stack_new())
        search = unwrap(gtk_search_entry_new())
        backButton = unwrap(gtk_button_new_from_icon_name("go-previous-symbolic"))
        cut = unwrap(gtk_toggle_button_new())
        panelToggle = unwrap(gtk_toggle_button_new())
        build()
        connectActions()
    }

    // MARK: - Actions

    /// Shows one image by its index in the library.
    func open(_ index: Int) {
        detail.show(index)
        gtk_stack_set_visible_child(pages.opaque, detail.root)
        gtk_widget_set_visible(backButton, 1)
        gtk_widget_grab_focus(detail.root)
    }

    func close() {
        gtk_stack_set_visible_child(pages.opaque, grid.root)
        gtk_widget_set_visible(backButton, 0)
        detail.hide()
        gtk_widget_grab_focus(grid.view)
    }

    func find(_ query: String) { gtk_editable_set_text(search.opaque, query) }

    func setNetworkCut(_ isCut: Bool) { Make.setOn(cut, isCut) }

    private var isDetail: Bool { gtk_stack_get_visible_child(pages.opaque) == detail.root }

    // MARK: - Building

    private func build() {
        gtk_window_set_default_size(window.window, 1_280, 820)
        gtk_window_set_title(window.window, "Easel Gallery")
        gtk_window_set_titlebar(window.window, header())
        gtk_stack_add_child(pages.opaque, grid.root)
        gtk_stack_add_child(pages.opaque, detail.root)
        gtk_stack_set_transition_type(pages.opaque, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
        gtk_stack_set_transition_duration(pages.opaque, 150)
        gtk_widget_set_hexpand(pages, 1)
        let body = Make.row(pages, panel.root)
        gtk_window_set_child(window.window, body)
    }

    private func header() -> Widget {
        let header = unwrap(gtk_header_bar_new())
        gtk_widget_set_visible(backButton, 0)
        gtk_widget_set_tooltip_text(backButton, "Back to all images (Escape)")
        gtk_header_bar_pack_start(header.opaque, backButton)
        gtk_widget_set_size_request(search, 340, -1)
        gtk_search_entry_set_key_capture_widget(search.opaque, window)
        gtk_widget_set_tooltip_text(search, "Part of a name, or memory, disk, network, animated, failed")
        placeholder("Name, or memory, disk, network, animated")
        gtk_header_bar_set_title_widget(header.opaque, search)
        gtk_button_set_icon_name(panelToggle.button, "sidebar-show-right-symbolic")
        gtk_widget_set_tooltip_text(panelToggle, "Show counters (F9)")
        Make.setOn(panelToggle, true)
        cut.style("cut")
        gtk_button_set_icon_name(cut.button, "network-offline-symbolic")
        gtk_widget_set_tooltip_text(cut, "Disconnect the network (Ctrl+K)")
        gtk_header_bar_pack_end(header.opaque, panelToggle)
        gtk_header_bar_pack_end(header.opaque, cut)
        gtk_header_bar_pack_end(
            header.opaque,
            Make.button("Clear disk", tip: "Clear both caches (Ctrl+Shift+R)") { [unowned self] in clearDisk() })
        gtk_header_bar_pack_end(
            header.opaque,
            Make.button("Clear memory", tip: "Clear the memory cache (Ctrl+R)") { [unowned self] in clearMemory() })
        return header
    }

    private func placeholder(_ text: String) {
        var value = GValue()
        g_value_init(&value, GType(16 << 2))
        g_value_set_string(&value, text)
        g_object_set_property(
            UnsafeMutableRawPointer(search).assumingMemoryBound(to: GObject.self), "placeholder-text", &value)
        g_value_unset(&value)
    }

    private func clearMemory() {
        library.clearMemory()
        grid.reload()
    }

    private func clearDisk() {
        Task {
            await library.clearDisk()
            grid.reload()
        }
    }

    private func connectActions() {
        grid.didActivate = { [unowned self] in open($0) }
        library.didChange = { [unowned self] in panel.update() }
        connect(backButton, "clicked") { [unowned self] in close() }
        connect(search, "search-changed") { [unowned self] in
            grid.find(String(cString: gtk_editable_get_text(search.opaque)))
        }
        connect(cut, "toggled") { [unowned self] in
            library.transport.isCut = Make.isOn(cut)
            panel.update()
            // Retries the loads that failed while disconnected.
            if !library.transport.isCut { grid.reload() }
        }
        connect(panelToggle, "toggled") { [unowned self] in
            gtk_widget_set_visible(panel.root, Make.isOn(panelToggle) ? 1 : 0)
        }
        Keyboard.attach(to: window) { [unowned self] in press($0, $1) }
    }

    private func press(_ key: Keyboard.Key, _ isControl: Bool) -> Bool {
        switch (key, isControl) {
        case (.escape, _) where isDetail: close()
        case (.left, false) where isDetail: open(grid.neighbour(of: detail.index, by: -1))
        case (.right, false) where isDetail: open(grid.neighbour(of: detail.index, by: 1))
        case (.space, false) where isDetail: detail.toggle()
        case (.letter("f"), true): gtk_widget_grab_focus(search)
        case (.letter("r"), true): clearMemory()
        case (.letter("R"), true): clearDisk()
        case (.letter("k"), true): setNetworkCut(!library.transport.isCut)
        case (.letter("q"), true), (.letter("w"), true): gtk_window_close(window.window)
        case (.panel, _): Make.setOn(panelToggle, !Make.isOn(panelToggle))
        default: return false
        }
        return true
    }
}
