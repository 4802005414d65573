#if canImport(UIKit) || canImport(AppKit)
public import EaselCore
#if canImport(UIKit)
public import UIKit
#elseif canImport(AppKit)
public import AppKit
#endif

/// The image loading of a view, available as `view.easel`. It is released with its view, which cancels its loads.
///
/// It offers all of `ImageTarget`. `ViewTarget+Setting` adds methods without a manager argument.
@MainActor
public final class ViewTarget: ImageTarget {
    /// The default manager of all views: `ImageManager.apple`. An application that uses the module `Easel` sets it to
    /// `ImageManager.shared` before its first load.
    public static var manager: ImageManager {
        get { chosenManager ?? .apple }
        set { chosenManager = newValue }
    }
    /// Separate, so that setting another manager never creates the default one.
    private static var chosenManager: ImageManager?

    /// The view, or `nil` after it was released.
    public private(set) weak var view: PlatformView?
    /// The current loads.
    public let targetState = ImageTargetState()

    init(_ view: PlatformView) {
        self.view = view
    }

    private var imageView: (any ImageView)? { view as? any ImageView }

    /// The size of the view in screen pixels.
    public var pixelSize: PixelSize? { view?.backingSize }

    /// Returns the view's size and content mode, or the original size if the view draws images at their own size.
    public func targetSize(in slot: ImageSlot) -> TargetSize {
        guard let size = pixelSize, size.width > 0, size.height > 0, let mode = imageView?.imageMode
        else { return .original }
        return .pixels(size, mode: mode)
    }

    /// Shows an image in the view.
    public func show(_ image: DecodedImage?, in slot: ImageSlot) {
        imageView?.showImage(image, in: slot)
        if slot == .image { (view as? any AnimationPlaying)?.imagePlayer.show(image) }
        view?.layOutAnew()
    }

    /// Plays images in the view.
    public func showAnimation(of images: [DecodedImage]) {
        imageView?.playImages(images)
        view?.layOutAnew()
    }

    /// Shows an image with a transition.
    public func show(
        _ image: DecodedImage, in slot: ImageSlot, with transition: ImageTransition,
        finish: @escaping @MainActor () -> Void
    ) {
        guard let view else { return finish() }
        view.run(transition, showing: { self.show(image, in: slot) }, finish: finish)
    }

    /// Adds an indicator to the centre of the view, above its content.
    public func replaceIndicator(_ old: (any LoadIndicator)?, with new: (any LoadIndicator)?) {
        (old as? any ViewIndicator)?.view.removeFromSuperview()
        guard let view, let indicator = (new as? any ViewIndicator)?.view else { return }
        indicator.frame.origin = CGPoint(
            x: ((view.bounds.width - indicator.frame.width) / 2).rounded(),
            y: ((view.bounds.height - indicator.frame.height) / 2).rounded())
        indicator.autoresizingMask = .staysInTheMiddle
        view.addSubview(indicator)
    }
}

/// An indicator that is a view, centred in the view that loads.
public protocol ViewIndicator: LoadIndicator {
    /// The indicator's view.
    var view: PlatformView { get }
}

extension ImageTransition.Step {
    /// The view that shows the image, for custom transitions.
    public var view: PlatformView? { (target as? ViewTarget)?.view }
}
#endif
