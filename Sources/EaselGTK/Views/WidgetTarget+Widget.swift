#if GTK
import CGTK
import EaselCore

/// The connection of a target to its widget.
extension WidgetTarget {
    private static let key = "easel-image-target"

    /// Returns the target of a widget, if it exists.
    static func existing(of widget: UnsafeMutablePointer<GtkWidget>) -> WidgetTarget? {
        guard let data = g_object_get_data(widget.object, key) else { return nil }
        return Unmanaged<WidgetTarget>.fromOpaque(data).takeUnretainedValue()
    }

    /// Returns the target of a widget. Creates it on first use.
    static func of(_ widget: UnsafeMutablePointer<GtkWidget>) -> WidgetTarget {
        if let target = existing(of: widget) { return target }
        MainLoop.attach()
        let target = WidgetTarget(widget)
        g_object_set_data_full(
            widget.object, key, Unmanaged.passRetained(target).toOpaque(),
            { data in
                guard let data else { return }
                Unmanaged<WidgetTarget>.fromOpaque(data).release()
            })
        target.connect()
        target.installDisplay()
        return target
    }

    private func connect() {
        painting.surroundings = { [unowned self] in
            Painting.Surroundings(
                back: placeholderColor.resolved(for: widget), foreground: foreground(of: widget),
                isMirrored: gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL)
        }
        painting.hasNaturalSize = { [unowned self] in hasNaturalSize }
        painting.didDraw = { [unowned self] in didDraw($0) }
        playback.setVisible(isMapped)
        isLaidOut = isMapped && gtk_widget_get_width(widget) > 0
        if !isMapped { targetDidDisappear() } else if !isLaidOut { LayoutQueue.add(self) }
        connect("map") { $0.didMap() }
        connect("unmap") { $0.didUnmap() }
        connect("destroy") { $0.didDestroy() }
        connect("state-flags-changed") { $0.stateDidChange() }
        connect("notify::scale-factor") { $0.targetSizeDidChange() }
    }

    /// Connects a handler. It is swapped so that the target is the first argument, regardless of the signal's
    /// arguments.
    private func connect(_ signal: String, _ handler: @escaping SignalHandler) {
        // There are only a few handlers in total, and each needs one box.
        let box = SignalBox(self, handler)
        g_signal_connect_data(
            UnsafeMutableRawPointer(widget), signal,
            unsafeBitCast(callSignalBox, to: GCallback.self), Unmanaged.passRetained(box).toOpaque(),
            { data, _ in
                guard let data else { return }
                Unmanaged<SignalBox>.fromOpaque(data).release()
            }, easel_connect_swapped)
    }

    // MARK: - Signals of GTK

    private func didMap() {
        targetDidAppear()
        playback.setVisible(true)
        LayoutQueue.add(self)
        tickIfNeeded()
    }

    /// Handles the end of a layout: the widget has its size and is visible.
    func didLayOut() {
        guard isMapped else { return }
        isLaidOut = true
        sightDidChange?(true)
        beginWaiting()
    }

    private func didUnmap() {
        let wasSeen = isLaidOut
        isLaidOut = false
        targetDidDisappear()
        playback.setVisible(false)
        stopTicking()
        if wasSeen { sightDidChange?(false) }
    }

    /// Handles the destruction of the widget. Other owners may retain it, but it is never shown again.
    private func didDestroy() {
        stopTicking()
        waiting = [:]
        LoadsAhead.shared.leave(self)
        cancelImageLoads()
        playback.stop()
        painting.detach()
    }

    /// Handles drawing: the view may have grown since its image was decoded.
    private func didDraw(_ extent: Extent) {
        let scale = Double(max(1, gtk_widget_get_scale_factor(canvas)))
        let pixels = PixelSize(Int((extent.width * scale).rounded()), Int((extent.height * scale).rounded()))
        guard pixels != drawnPixels else { return }
        drawnPixels = pixels
        // Asynchronously, because the content must not change while it is drawn.
        Task { [weak self] in self?.targetSizeDidChange() }
    }

    /// A widget with a fixed size keeps it, so that GTK does no layout when an image arrives.
    var hasNaturalSize: Bool {
        var width: gint = -1
        var height: gint = -1
        gtk_widget_get_size_request(widget, &width, &height)
        return width < 0 || height < 0
    }
}

private typealias SignalHandler = @MainActor (WidgetTarget) -> Void

/// The box of a signal handler. It references the target weakly and is released with the widget.
private final class SignalBox {
    private weak var target: WidgetTarget?
    private let handler: SignalHandler

    init(_ target: WidgetTarget, _ handler: @escaping SignalHandler) {
        self.target = target
        self.handler = handler
    }

    @MainActor
    func call() {
        if let target { handler(target) }
    }
}

private let callSignalBox: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
    guard let data else { return }
    nonisolated(unsafe) let box = Unmanaged<SignalBox>.fromOpaque(data).takeUnretainedValue()
    MainActor.assumeIsolated { box.call() }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// The widget as a GObject.
    var object: UnsafeMutablePointer<GObject> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: GObject.self)
    }

    /// Returns whether the widget is of a class or a subclass.
    func isA(_ type: GType) -> Bool {
        let instance = UnsafeMutableRawPointer(self).assumingMemoryBound(to: GTypeInstance.self)
        return g_type_check_instance_is_a(instance, type) != 0
    }
}
#endif
