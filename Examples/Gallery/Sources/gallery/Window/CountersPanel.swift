import EaselGTK
import Foundation

/// Live counters of the caches, the network and the loads.
@MainActor
final class CountersPanel {
    let root: Widget
    private let library: GalleryLibrary
    private var values: [String: Widget] = [:]
    private var bars: [ImageSource: Widget] = [:]
    private var isUpdateDue = false

    init(_ library: GalleryLibrary) {
        self.library = library
        root = Make.column(spacing: 6)
        root.style("panel")
        gtk_widget_set_size_request(root, 250, -1)
        // The lines use the full width of the panel, but must not expand it.
        gtk_widget_set_hexpand(root, 0)
        add("Image sources")
        for source in [ImageSource.memory, .disk, .network] { addBar(source) }
        addLine("Failed")
        add("Memory cache")
        for name in ["Images", "Pixels", "Hit ratio", "Evicted"] { addLine(name) }
        add("Disk cache")
        for name in ["Files", "Bytes"] { addLine(name) }
        add("Network")
        for name in ["Requests", "Received", "Running", "State"] { addLine(name) }
        update()
    }

    /// Schedules an update of the display, at most ten times per second. Called only on changes, so an idle panel does
    /// not wake the process.
    func update() {
        guard !isUpdateDue else { return }
        isUpdateDue = true
        Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(100))
            self?.isUpdateDue = false
            self?.show()
        }
    }

    private func show() {
        let (memory, network, tally) = (library.cache.memory, library.transport.counters, library.tally)
        let most = max(1, tally.sources.values.max() ?? 1)
        for (source, bar) in bars {
            let count = tally.sources[source, default: 0]
            set(source.rawValue.capitalized, text(count, tally.times[source]))
            gtk_widget_set_size_request(bar, max(count > 0 ? 4 : 0, gint(count * 216 / most)), 8)
        }
        set("Failed", "\(tally.failed)")
        set("Images", "\(memory.count)")
        set("Pixels", ByteText.text(memory.totalCost))
        set("Hit ratio", String(format: "%.0f %%", memory.statistics.hitRatio * 100))
        set("Evicted", "\(memory.statistics.evictions)")
        let disk = library.cache.disk?.usage
        set("Files", "\(disk?.entries ?? 0)")
        set("Bytes", ByteText.text(disk?.bytes ?? 0))
        set("Requests", "\(network.requests)")
        set("Received", ByteText.text(network.bytes))
        set("Running", "\(network.running)")
        set("State", library.transport.isCut ? "disconnected" : "connected")
        // The end of a running request sends no notification.
        if network.running > 0 { update() }
    }

    /// Returns the number of loads and their average duration.
    private func text(_ count: Int, _ time: Duration?) -> String {
        guard count > 0, let time else { return "0" }
        let mean = time / count / .milliseconds(1)
        return String(format: mean < 1 ? "%d · %.2f ms" : "%d · %.0f ms", count, mean)
    }

    private func set(_ name: String, _ text: String) {
        if let label = values[name] { gtk_label_set_text(label.opaque, text) }
    }

    private func add(_ title: String) { root.append(Make.label(title, "panel-title")) }

    private func addLine(_ name: String) {
        let value = Make.label("0", "value")
        let label = Make.label(name, "fact")
        gtk_widget_set_hexpand(label, 1)
        values[name] = value
        root.append(Make.row(spacing: 8, label, value))
    }

    private func addBar(_ source: ImageSource) {
        addLine(source.rawValue.capitalized)
        let bar = Make.row()
        bar.style("tally", source.rawValue)
        gtk_widget_set_halign(bar, GTK_ALIGN_START)
        bars[source] = bar
        root.append(bar)
    }
}
