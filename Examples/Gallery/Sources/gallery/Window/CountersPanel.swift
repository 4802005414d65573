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
        // Its lines take all of its width, and it takes no more than that.
        gtk_widget_set_hexpand(root, 0)
        add("Images came from")
        for source in [ImageSource.memory, .disk, .network] { addBar(source) }
        addLine("Failed")
        add("Memory cache")
        for name in ["Images", "Pixels", "Hit ratio", "Evicted"] { addLine(name) }
        add("Disk cache")
        for name in ["Files", "Bytes"] { addLine(name) }
        add("Network")
        for name in ["Requests", "Received", "Under way", "State"] { addLine(name) }
        update()
    }

    /// Shows what there is now, soon: however often it is called, ten times a second at most. While nothing happens nobody
    /// calls it, and it wakes nobody.
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
        set("Under way", "\(network.running)")
        set("State", library.transport.isCut ? "cut" : "on")
        // What is under way tells nobody when it ends.
        if network.running > 0 { update() }
    }

    /// How many there were, and how long one took.
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
