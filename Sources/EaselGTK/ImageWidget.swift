#if GTK
public import CGTK
public import EaselFoundation
public import Easel

extension UnsafeMutablePointer where Pointee == GtkWidget {
    /// Images from anywhere in this widget.
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
/// A value that stands for the widget: what it sets belongs to the widget, and goes with it. It does not keep the widget, and
/// must not be used when that is gone.
@MainActor
public struct ImageWidget {
    /// The widget.
    public let widget: UnsafeMutablePointer<GtkWidget>

    /// Images in `widget`.
    public init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    /// Images in a widget that C's header says nothing of, as a `GtkPicture` or an `AdwAvatar`.
    public init(_ widget: OpaquePointer) { self.widget = UnsafeMutablePointer(widget) }

    var target: WidgetTarget { .of(widget) }
    var existing: WidgetTarget? { .existing(of: widget) }

    // MARK: - How it looks

    /// How an image that was loaded takes the place of what was there; at once by default. It is left out where the user wants
    /// nothing to move (`gtk-enable-animations`), and where the widget is not seen.
    public var transition: ImageTransition? {
        get { existing?.transition }
        nonmutating set { target.transition = newValue }
    }

    /// How it shows that it is loading; not at all by default.
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

    /// How an image fills the widget. Of a `GtkPicture` it is that widget's own `content-fit`; others show all of it by default.
    public var contentFit: ContentFit {
        get { target.painting.fit }
        nonmutating set {
            target.painting.fit = newValue
            if widget.isA(gtk_picture_get_type()) { gtk_picture_set_content_fit(OpaquePointer(widget), newValue.gtk) }
            target.targetSizeDidChange()
        }
    }

    /// What is seen while there is no image and no placeholder: nothing by default.
    public var placeholderColor: AdaptiveColor {
        get { existing?.placeholderColor ?? .clear }
        nonmutating set {
            target.placeholderColor = newValue
            target.painting.didChange()
        }
    }

    /// What assistive technology says of the image. By default the name of its file, where that has words.
    public var accessibleLabel: String? {
        get { existing?.label.text }
        nonmutating set {
            let target = target
            target.label.text = newValue
            target.label.tell(url, of: widget)
        }
    }

    /// When its loads begin: by default when it is seen.
    public var loadStart: LoadStart {
        get { existing?.loadStart ?? .whenMapped }
        nonmutating set {
            target.loadStart = newValue
            target.loadStartDidChange()
        }
    }

    // MARK: - Animation

    /// Whether animations begin by themselves; they do by default. They stand still while the widget is not seen.
    public var playsAnimations: Bool {
        get { existing?.playback.isAutomatic ?? true }
        nonmutating set { target.playback.isAutomatic = newValue }
    }

    /// What plays the animation that is shown.
    public var player: AnimationPlayer? { existing?.playback.player }

    // MARK: - What it loads

    /// The URL that was bound last.
    public var url: URL? { url(in: .image) ?? existing?.imageURL }

    /// The URL that was bound to a slot last.
    public func url(in slot: ImageSlot) -> URL? {
        existing.flatMap { $0.waiting[slot]?.url ?? $0.imageURL(in: slot) }
    }

    /// A slot's load, while it is under way: not while it waits for the widget to be seen.
    public func task(in slot: ImageSlot = .image) -> ImageTask? { existing?.imageTask(in: slot) }

    /// Whether a load is under way, or waits for the widget to be seen.
    public func isLoading(in slot: ImageSlot = .image) -> Bool {
        guard let existing else { return false }
        return existing.waiting[slot] != nil || existing.imageTask(in: slot) != nil
    }

    /// How far a slot's load is.
    public func progress(in slot: ImageSlot = .image) -> LoadProgress? { existing?.imageProgress(in: slot) }

    /// Ends a slot's load. What is shown stays.
    public func cancelImageLoad(in slot: ImageSlot = .image) {
        existing?.dropWaiting(in: slot)
        existing?.cancelImageLoad(in: slot)
    }

    /// Ends all loads, and shows nothing.
    public func clear() { existing?.reset() }

    // MARK: - Other widgets

    /// What draws the widget's image, placeholder, transition and indicator: a `GdkPaintable` for any place that takes one.
    /// It is the widget's; take a reference to keep it longer.
    public var paintable: OpaquePointer { target.paintable.pointer }

    /// Says how a widget of another class shows a paintable.
    ///
    /// ```swift
    /// ImageWidget(avatar).display { adw_avatar_set_custom_image(avatar, $0) }
    /// ```
    public func display(by show: (_ paintable: OpaquePointer) -> Void) { show(paintable) }
}
#endif
