#if GTK
import CGTK
import EaselCore

/// The state of a widget's images: loads, content and settings. It is owned by the widget.
@MainActor
final class WidgetTarget: ImageTarget {
    /// The widget, which outlives this object.
    let widget: UnsafeMutablePointer<GtkWidget>
    let targetState = ImageTargetState()
    let painting = Painting()
    let paintable: ImagePaintable
    let playback: Playback
    /// The widget that draws the painting: the widget itself or a descendant.
    var canvas: UnsafeMutablePointer<GtkWidget>

    /// The images of all slots. The widget's state selects one or two of them.
    private var images: [ImageSlot: DecodedImage] = [:]
    private var shownSlot: ImageSlot?

    /// Loads that start when the widget is visible, by slot.
    var waiting: [ImageSlot: WaitingLoad] = [:]
    var loadStart = LoadStart.whenMapped
    /// Whether the widget is visible with its final size.
    var isLaidOut = false { didSet { DrawingPacer.shared.update(self) } }
    /// Called when the widget becomes visible, before it is drawn, and when it becomes invisible.
    var visibilityDidChange: (@MainActor (_ isVisible: Bool) -> Void)?
    var indicatorStyle = ImageIndicator.none
    var placeholderColor = AdaptiveColor.clear
    var label = AccessibleLabel()
    var tickCallback: guint = 0
    var isTicking: Bool { tickCallback != 0 }
    var drawnPixels: PixelSize?

    init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        canvas = widget
        paintable = ImagePaintable(painting)
        playback = Playback(painting)
        targetState.loadsDidChange = { [unowned self] in
            Preloader.shared.setLoading(self, targetState.isLoading)
            DrawingPacer.shared.update(self)
        }
    }

    isolated deinit {
        Preloader.shared.remove(self)
        Preloader.shared.setLoading(self, false)
        DrawingPacer.shared.remove(self)
        paintable.draw = nil
        painting.detach()
    }

    var isMapped: Bool { gtk_widget_get_mapped(widget) != 0 }

    // MARK: - Size

    /// The size for the image in display pixels: the allocation, or else the size request.
    var pixelSize: PixelSize? {
        var width = gtk_widget_get_width(canvas)
        var height = gtk_widget_get_height(canvas)
        if width <= 0 || height <= 0 { gtk_widget_get_size_request(widget, &width, &height) }
        guard width > 0, height > 0 else { return nil }
        let scale = Int(max(1, gtk_widget_get_scale_factor(canvas)))
        return PixelSize(Int(width) * scale, Int(height) * scale)
    }

    func targetSize(in slot: ImageSlot) -> TargetSize {
        guard let pixelSize else { return .original }
        return .pixels(pixelSize, mode: slot.place == .background ? .fill : painting.fit.decoding)
    }

    // MARK: - Images

    func show(_ image: DecodedImage?, in slot: ImageSlot) {
        images[slot] = image
        let slots = visibleSlots
        if slot == slots.background || slot.place == .background { showBackground(slots.background) }
        if slot == slots.foreground || slot == shownSlot { showForeground(slots.foreground) }
    }

    func show(
        _ image: DecodedImage, in slot: ImageSlot, with transition: ImageTransition,
        finish: @escaping @MainActor () -> Void
    ) {
        images[slot] = image
        guard isMapped, easel_animations_enabled(widget) != 0, slot == visibleSlots.foreground,
            !playback.resume(with: image)
        else {
            show(image, in: slot)
            return finish()
        }
        shownSlot = slot
        let callBack = painting.show(Layer(image), with: transition, at: FrameTime.now(), finish: finish)
        playback.play(image)
        tickIfNeeded()
        callBack()
    }

    func showAnimation(of images: [DecodedImage]) {
        guard let first = images.first else { return playback.stop() }
        show(first, in: .image)
        playback.play(images)
    }

    /// Handles a change of the widget's state, which may select other slots.
    func stateDidChange() {
        let slots = visibleSlots
        showBackground(slots.background)
        if slots.foreground != shownSlot { showForeground(slots.foreground) }
    }

    /// Shows nothing and cancels all loads.
    ///
    /// - Parameter finishes: Whether requests that were sent continue, to fill the caches.
    func reset(finishes: Bool = false) {
        label.update(nil, of: widget)
        for slot in waiting.keys { dropWaiting(in: slot) }
        targetState.forgetImages(finishes: finishes)
        images = [:]
        showBackground(nil)
        showForeground(nil)
    }

    var imageCount: Int { images.count }

    private var visibleSlots: (foreground: ImageSlot?, background: ImageSlot?) {
        // A fast path: most widgets have only this slot in all states.
        if images.count <= 1, images.keys.first == .image || images.isEmpty { return (images.keys.first, nil) }
        let selection = SlotSelection(gtk_widget_get_state_flags(widget))
        return (selection.foreground(among: images.keys), selection.background(among: images.keys))
    }

    private func showBackground(_ slot: ImageSlot?) {
        let image = slot.flatMap { images[$0] }
        if image != nil || painting.background != nil { painting.background = image.map { Layer($0) } }
    }

    private func showForeground(_ slot: ImageSlot?) {
        shownSlot = slot
        let image = slot.flatMap { images[$0] }
        if playback.resume(with: image) { return painting.endTransition() }
        if image != nil || painting.layer != nil { painting.replace(image.map { Layer($0) }) }
        playback.play(image)
        // Last, because its completion may show another image.
        painting.endTransition()
    }
}

extension ControlState {
    /// The state under the pointer. `highlighted` is pressed; `selected` also means checked.
    public static let prelight = ControlState("prelight")
}

/// A rule that selects the slots that are visible in a widget state.
struct SlotSelection {
    /// The active states, most specific first. `normal` is always active.
    let states: [ControlState]

    init(_ flags: GtkStateFlags) {
        let order: [(GtkStateFlags, ControlState)] = [
            (GTK_STATE_FLAG_INSENSITIVE, .disabled), (GTK_STATE_FLAG_ACTIVE, .highlighted),
            (GTK_STATE_FLAG_CHECKED, .selected), (GTK_STATE_FLAG_SELECTED, .selected),
            (GTK_STATE_FLAG_PRELIGHT, .prelight), (GTK_STATE_FLAG_FOCUSED, .focused),
        ]
        states = order.filter { flags.rawValue & $0.0.rawValue != 0 }.map(\.1) + [.normal]
    }

    /// Returns the slot to show among those with an image.
    func foreground(among slots: some Collection<ImageSlot>) -> ImageSlot? {
        let isHighlighted = states.contains { $0 == .highlighted || $0 == .selected || $0 == .prelight }
        let places: [(ImageSlot.Place, Bool)] = [
            (.alternate, states.contains(.selected)), (.highlighted, isHighlighted),
        ]
        for (place, applies) in places where applies {
            if let slot = first(place, slots) { return slot }
        }
        return first(.image, slots)
    }

    func background(among slots: some Collection<ImageSlot>) -> ImageSlot? { first(.background, slots) }

    private func first(_ place: ImageSlot.Place, _ slots: some Collection<ImageSlot>) -> ImageSlot? {
        states.lazy.map { ImageSlot(place, for: $0) }.first { slots.contains($0) }
    }
}
#endif
