#if GTK
import CGTK
import EaselCore

extension WidgetTarget {
    private static let key = "easel-image-target"

    static func existing(of widget: UnsafeMutablePointer<GtkWidget>) -> WidgetTarget? { widget.object.attachment(key) }

    /// Returns the target of a widget. Creates it on first use.
    static func of(_ widget: UnsafeMutablePointer<GtkWidget>) -> WidgetTarget {
        if let target = existing(of: widget) { return target }
        MainLoop.attach()
        let target = WidgetTarget(widget)
        widget.object.attach(target, key)
        target.connect()
        target.installDisplay()
        return target
    }

    private func connect() {
        painting.appearance = { [unowned self] in
            Painting.Appearance(
                background: placeholderColor.resolved(for: widget), foreground: foreground(of: widget),
                isMirrored: gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL)
        }
        painting.hasNaturalSize = { [unowned self] in hasNaturalSize }
        painting.didDraw = { [unowned self] in didDraw($0) }
        paintable.draw = { [unowned self] in
            // A movement draws each frame.
            if painting.isMoving { paintable.invalidate() } else { DrawingPacer.shared.draw(self) }
        }
        playback.setVisible(isMapped)
        isLaidOut = isMapped && gtk_widget_get_width(widget) > 0
        if !isMapped { targetDidDisappear() } else if !isLaidOut { LayoutQueue.add(self) }
        connect("map") { $0.didMap() }
        connect("unmap") { $0.didUnmap() }
        connect("destroy") { $0.didDestroy() }
        connect("state-flags-changed") { $0.stateDidChange() }
        connect("notify::scale-factor") { $0.targetSizeDidChange() }
    }

    private func connect(_ signal: String, _ handler: @escaping @MainActor (WidgetTarget) -> Void) {
        widget.object.connect(signal) { [weak self] _ in
            if let self { handler(self) }
        }
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
        visibilityDidChange?(true)
        startWaitingLoads()
    }

    private func didUnmap() {
        let wasVisible = isLaidOut
        isLaidOut = false
        targetDidDisappear()
        playback.setVisible(false)
        stopTicking()
        if wasVisible { visibilityDidChange?(false) }
    }

    /// Handles the destruction of the widget. Other owners may retain it, but it is never shown again.
    private func didDestroy() {
        stopTicking()
        waiting = [:]
        Preloader.shared.remove(self)
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

/// How widgets of each class show a paintable.
extension WidgetTarget {
    /// Sets the paintable of a widget of a known class. Others need `ImageWidget.display(by:)` or set their image
    /// themselves.
    func installDisplay() {
        if widget.isA(gtk_picture_get_type()) {
            showInPicture(widget)
        } else if widget.isA(gtk_image_get_type()) {
            gtk_image_set_from_paintable(OpaquePointer(widget), paintable.pointer)
        } else if widget.isA(gtk_button_get_type()) {
            showInButton()
        }
    }

    /// Shows the paintable in a `GtkPicture`, with its content fit.
    private func showInPicture(_ picture: UnsafeMutablePointer<GtkWidget>) {
        canvas = picture
        gtk_picture_set_paintable(OpaquePointer(picture), paintable.pointer)
        if picture == widget {
            painting.viewFit = { [unowned self] in ContentFit(gtk_picture_get_content_fit(OpaquePointer(widget))) }
        }
    }

    /// Adds a `GtkPicture` to a button, beneath its child, such as its title.
    private func showInButton() {
        let button = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkButton.self)
        guard let picture = gtk_picture_new() else { return }
        showInPicture(picture)
        guard let child = gtk_button_get_child(button) else { return gtk_button_set_child(button, picture) }
        guard let overlay = gtk_overlay_new() else { return }
        g_object_ref(child)
        gtk_button_set_child(button, overlay)
        gtk_overlay_set_child(OpaquePointer(overlay), picture)
        gtk_overlay_add_overlay(OpaquePointer(overlay), child)
        gtk_overlay_set_measure_overlay(OpaquePointer(overlay), child, 1)
        g_object_unref(child)
    }
}

/// The tick callback of a widget. It is active only while frames are needed, so that an idle window does not wake.
extension WidgetTarget {
    func tickIfNeeded() {
        guard tickCallback == 0, isMapped, painting.isMoving else { return }
        tickCallback = gtk_widget_add_tick_callback(
            widget,
            { _, _, data in
                guard let data else { return 0 }
                let target = Unmanaged<WidgetTarget>.fromOpaque(data).takeUnretainedValue()
                return MainActor.assumeIsolated { target.tick() ? 1 : 0 }
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    func stopTicking() {
        if tickCallback != 0 { gtk_widget_remove_tick_callback(widget, tickCallback) }
        tickCallback = 0
        painting.endTransition()
    }

    /// - Returns: Whether the next frame is needed.
    private func tick() -> Bool {
        painting.tick(at: FrameTime.now())
        if !painting.isMoving { tickCallback = 0 }
        return painting.isMoving
    }
}
#endif
