#if GTK
public import CGTK
public import EaselFoundation
public import Easel

extension UnsafeMutablePointer where Pointee == GtkWidget {
    /// The image loading of this widget.
    @MainActor public var easel: ImageWidget { ImageWidget(self) }
}

/// A GTK widget that shows images: a `GtkPicture`, a `GtkImage`, a `GtkButton`, or any other with a `display(by:)`.
///
/// ```swift
/// let image = gtk_picture_new()!
/// image.easel.transition = .fade
/// image.easel.setImage(with: url)
/// ```
///
/// A lightweight reference: all settings are stored with the widget. It does not retain the widget and must not be used
/// after the widget is destroyed.
@MainActor
public struct ImageWidget {
    /// The widget.
    public let widget: UnsafeMutablePointer<GtkWidget>

    /// Creates a reference to `widget`.
    public init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    /// Creates a reference to a widget of an opaque type, such as `GtkPicture` or `AdwAvatar`.
    public init(_ widget: OpaquePointer) { self.widget = UnsafeMutablePointer(widget) }

    var target: WidgetTarget { .of(widget) }
    var existing: WidgetTarget? { .existing(of: widget) }

    // MARK: - Appearance

    /// The transition to a loaded image; none by default. Omitted if the user disabled animations
    /// (`gtk-enable-animations`) or the widget is not visible.
    public var transition: ImageTransition? {
        get { existing?.transition }
        nonmutating set { target.transition = newValue }
    }

    /// The loading indicator; none by default.
    public var indicator: ImageIndicator {
        get { existing?.indicatorStyle ?? .none }
        nonmutating set {
            let target = target
            target.indicatorStyle = newValue
            target.indicator =
                switch newValue {
                case .none: nil
                case .spinner: PaintedIndicator(target, isRing: false)
                case .progressRing: PaintedIndicator(target, isRing: true)
                case .custom(let indicator): indicator
                }
        }
    }

    /// How an image fits the widget. For a `GtkPicture` this is its `content-fit`; other widgets default to `contain`.
    public var contentFit: ContentFit {
        get {
            if let existing { return existing.painting.fit }
            guard widget.isA(gtk_picture_get_type()) else { return .contain }
            return ContentFit(gtk_picture_get_content_fit(OpaquePointer(widget)))
        }
        nonmutating set {
            target.painting.fit = newValue
            if widget.isA(gtk_picture_get_type()) { gtk_picture_set_content_fit(OpaquePointer(widget), newValue.gtk) }
            target.targetSizeDidChange()
        }
    }

    /// The background while there is neither image nor placeholder; transparent by default.
    public var placeholderColor: AdaptiveColor {
        get { existing?.placeholderColor ?? .clear }
        nonmutating set {
            target.placeholderColor = newValue
            target.painting.didChange()
        }
    }

    /// The description for assistive technology. By default the name of the image file, if it contains words.
    public var accessibleLabel: String? {
        get { existing?.label.text }
        nonmutating set {
            let target = target
            target.label.text = newValue
            target.label.update(url, of: widget)
        }
    }

    /// When loads start. By default when the widget is visible.
    public var loadStart: LoadStart {
        get { existing?.loadStart ?? .whenMapped }
        nonmutating set {
            target.loadStart = newValue
            target.loadStartDidChange()
        }
    }

    // MARK: - Animation

    /// Whether animations start automatically; true by default. They pause while the widget is not visible.
    public var playsAnimations: Bool {
        get { existing?.playback.isAutomatic ?? true }
        nonmutating set { target.playback.isAutomatic = newValue }
    }

    /// The player of the current animation.
    public var player: AnimationPlayer? { existing?.playback.player }

    // MARK: - Loads

    /// The URL that was set last.
    public var url: URL? { url(in: .image) ?? existing?.imageURL }

    /// Returns the URL that was set last for a slot.
    public func url(in slot: ImageSlot) -> URL? {
        existing.flatMap { $0.waiting[slot]?.url ?? $0.imageURL(in: slot) }
    }

    /// Returns the running load of a slot, or `nil` if there is none or it waits until the widget is visible.
    public func task(in slot: ImageSlot = .image) -> ImageTask? { existing?.imageTask(in: slot) }

    /// Returns whether a load is running or waits until the widget is visible.
    public func isLoading(in slot: ImageSlot = .image) -> Bool {
        guard let existing else { return false }
        return existing.waiting[slot] != nil || existing.imageTask(in: slot) != nil
    }

    /// Returns the progress of a slot's load.
    public func progress(in slot: ImageSlot = .image) -> LoadProgress? { existing?.imageProgress(in: slot) }

    /// Cancels a slot's load. The current image stays.
    public func cancelImageLoad(in slot: ImageSlot = .image) {
        existing?.dropWaiting(in: slot)
        existing?.cancelImageLoad(in: slot)
    }

    /// Cancels all loads and shows nothing.
    public func clear() { existing?.reset() }

    // MARK: - Other widgets

    /// The `GdkPaintable` that draws the widget's image, placeholder, transition and indicator. It belongs to the
    /// widget; retain it to use it longer.
    public var paintable: OpaquePointer { target.paintable.pointer }

    /// Sets how a widget of another class shows a paintable.
    ///
    /// ```swift
    /// ImageWidget(avatar).display { adw_avatar_set_custom_image(avatar, $0) }
    /// ```
    public func display(by show: (_ paintable: OpaquePointer) -> Void) { show(paintable) }
}
#endif
