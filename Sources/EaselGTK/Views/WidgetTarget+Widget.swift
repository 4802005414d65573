#if GTK
import CGTK
import EaselCore

/// How a target hangs on its widget.
extension WidgetTarget {
    private static let key = "easel-image-target"

    /// A widget's target, where it has one.
    static func existing(of widget: UnsafeMutablePointer<GtkWidget>) -> WidgetTarget? {
        guard let data = g_object_get_data(widget.object, key) else { return nil }
        return Unmanaged<WidgetTarget>.fromOpaque(data).takeUnretainedValue()
    }

    /// A widget's target; the first time it is asked for it is made.
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

    /// Connects a handler. It is swapped, so that the target comes first: whatever else a signal brings comes behind it.
    private func connect(_ signal: String, _ handler: @escaping SignalHandler) {
        // The handlers are a handful for the whole process, and each is one box.
        let box = SignalBox(self, handler)
        g_signal_connect_data(
            UnsafeMutableRawPointer(widget), signal,
            unsafeBitCast(callSignalBox, to: GCallback.self), Unmanaged.passRetained(box).toOpaque(),
            { data, _ in
                guard let data else { return }
                Unmanaged<SignalBox>.fromOpaque(data).release()
            }, easel_connect_swapped)
    }

    // MARK: - What GTK says

    private func didMap() {
        targetDidAppear()
        playback.setVisible(true)
        LayoutQueue.add(self)
        tickIfNeeded()
    }

    /// The widget has its size, and has not been hidden again.
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

    /// The widget is taken apart; somebody may hold on to it, but nobody sees it again.
    private func didDestroy() {
        stopTicking()
        waiting = [:]
        LoadsAhead.shared.leave(self)
        cancelImageLoads()
        playback.stop()
        painting.detach()
    }

    /// The view was drawn: it may have grown since its image was decoded.
    private func didDraw(_ extent: Extent) {
        let scale = Double(max(1, gtk_widget_get_scale_factor(canvas)))
        let pixels = PixelSize(Int((extent.width * scale).rounded()), Int((extent.height * scale).rounded()))
        guard pixels != drawnPixels else { return }
        drawnPixels = pixels
        // Not now: what is drawn cannot change while it is drawn.
        Task { [weak self] in self?.targetSizeDidChange() }
    }

    /// A widget that is given a size keeps it: GTK then lays nothing out when an image comes.
    var hasNaturalSize: Bool {
        var width: gint = -1
        var height: gint = -1
        gtk_widget_get_size_request(widget, &width, &height)
        return width < 0 || height < 0
    }
}

private typealias SignalHandler = @MainActor (WidgetTarget) -> Void

/// What a signal calls. It does not keep the target, which keeps nothing of it either: it goes with the widget.
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
    /// The widget as the object that it is.
    var object: UnsafeMutablePointer<GObject> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: GObject.self)
    }

    /// Whether it is of a class, or of one derived from it.
    func isA(_ type: GType) -> Bool {
        let instance = UnsafeMutableRawPointer(self).assumingMemoryBound(to: GTypeInstance.self)
        return g_type_check_instance_is_a(instance, type) != 0
    }
}
#endif
