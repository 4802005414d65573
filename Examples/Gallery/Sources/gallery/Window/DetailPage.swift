import EaselGTK
import Foundation

/// The page of one image, with its properties and the timeline of its load.
@MainActor
final class DetailPage {
    let root: Widget
    private(set) var index = 0
    private let library: GalleryLibrary
    private let image: Widget
    private let title = Make.label("", "title-2")
    private let facts: Widget
    private let timeline: Widget
    private let error = Make.label("", "value")

    init(_ library: GalleryLibrary) {
        self.library = library
        image = unwrap(gtk_picture_new())
        facts = unwrap(gtk_grid_new())
        timeline = unwrap(gtk_grid_new())
        root = Make.row()
        build()
    }

    /// Shows an image at the available size.
    func show(_ index: Int) {
        self.index = index
        let entry = library.images[index]
        gtk_label_set_text(title.opaque, entry.title)
        gtk_label_set_text(error.opaque, "")
        Self.clear(facts)
        Self.clear(timeline)
        image.easel.setImage(
            with: ImageRequest(entry.url) { request in
                request.options = [.retryFailed, .progressive]
                request.priority = .high
                request.placeholder = .cachedVariant
            }, manager: library.manager
        ) { [unowned self] outcome in
            library.note(outcome, of: index)
            guard index == self.index else { return }
            switch outcome {
            case .success(let response): describe(response)
            case .failure(let failure): gtk_label_set_text(error.opaque, "\(failure)")
            }
        }
    }

    /// Releases the image.
    func hide() { image.easel.clear() }

    /// Plays or pauses an animation.
    func toggle() {
        guard let player = image.easel.player else { return }
        if player.isPlaying { player.pause() } else { player.play() }
    }

    // MARK: - Building

    private func build() {
        image.easel.indicator = .spinner
        image.easel.transition = .fade(duration: .milliseconds(180))
        gtk_widget_set_hexpand(image, 1)
        gtk_widget_set_vexpand(image, 1)
        let frame = Make.row(image)
        frame.style("detail")
        image.setMargins(24)
        gtk_widget_set_size_request(image, 320, 240)
        gtk_label_set_wrap(title.opaque, 1)
        gtk_label_set_wrap(error.opaque, 1)
        gtk_label_set_max_width_chars(error.opaque, 30)
        gtk_grid_set_row_spacing(facts.grid, 6)
        gtk_grid_set_column_spacing(facts.grid, 12)
        gtk_grid_set_row_spacing(timeline.grid, 6)
        gtk_grid_set_column_spacing(timeline.grid, 12)
        let side = Make.column(spacing: 8, title, error, facts, Make.label("Timeline", "panel-title"), timeline)
        side.style("panel")
        gtk_widget_set_size_request(side, 290, -1)
        root.append(frame, side)
        gtk_widget_set_hexpand(frame, 1)
        gtk_widget_set_focusable(root, 1)
    }

    private static func clear(_ grid: Widget) {
        while let child = gtk_widget_get_first_child(grid) { gtk_grid_remove(grid.grid, child) }
    }

    // MARK: - Properties

    private func describe(_ response: ImageResponse) {
        let (image, header) = (response.image, response.image.metadata.header)
        var lines: [(String, String)] = [("Source", response.source.rawValue)]
        if let header {
            lines.append(("Format", header.format.name.uppercased()))
            lines.append(("Size", "\(header.size)"))
            lines.append(("Bits", "\(header.bitDepth) per component" + (header.hasAlpha ? ", alpha" : "")))
            if header.frameCount > 1 {
                let length = header.frameDurations.reduce(.zero, +)
                lines.append(("Frames", "\(header.frameCount) in \(Self.text(length))"))
            }
            if let profile = header.profileName { lines.append(("Colours", profile)) }
            if let headroom = header.gainMapHeadroom {
                lines.append(("Gain map", String(format: "up to %.1f x SDR white", headroom)))
            }
        }
        lines.append(("Decoded to", "\(image.size)"))
        lines.append(("In memory", ByteText.text(image.memoryCost)))
        if response.timeline.bytesReceived > 0 {
            lines.append(("Received", ByteText.text(response.timeline.bytesReceived)))
        }
        for (row, line) in lines.enumerated() {
            gtk_grid_attach(facts.grid, Make.label(line.0, "fact"), 0, gint(row), 1, 1)
            gtk_grid_attach(facts.grid, Make.label(line.1, "value"), 1, gint(row), 1, 1)
        }
        draw(response.timeline, response.source)
    }

    /// Draws a bar for each stage in proportion to its duration.
    private func draw(_ timeline: LoadTimeline, _ source: ImageSource) {
        let stages: [(String, Duration?)] = [
            ("Queued", timeline[.queued]), ("Disk", timeline[.disk]), ("Connect", timeline.connect),
            ("First byte", timeline[.firstByte]), ("Transfer", timeline[.transfer]), ("Decode", timeline[.decode]),
            ("Total", timeline.total),
        ]
        let total = max(timeline.total ?? .zero, .microseconds(1))
        var row: gint = 0
        for case (let name, let time?) in stages {
            let bar = Make.row()
            bar.style("bar", source.rawValue)
            gtk_widget_set_size_request(bar, max(2, gint(min(1, time / total) * 110)), 8)
            gtk_widget_set_halign(bar, GTK_ALIGN_START)
            gtk_widget_set_valign(bar, GTK_ALIGN_CENTER)
            gtk_grid_attach(self.timeline.grid, Make.label(name, "fact"), 0, row, 1, 1)
            gtk_grid_attach(self.timeline.grid, bar, 1, row, 1, 1)
            gtk_grid_attach(self.timeline.grid, Make.label(Self.text(time), "value"), 2, row, 1, 1)
            row += 1
        }
    }

    private static func text(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        if milliseconds >= 1_000 { return String(format: "%.2f s", milliseconds / 1_000) }
        return milliseconds >= 10 ? String(format: "%.0f ms", milliseconds) : String(format: "%.2f ms", milliseconds)
    }
}
