#if canImport(UIKit) || canImport(AppKit)
public import EaselCore
#if canImport(UIKit)
public import UIKit
#elseif canImport(AppKit)
public import AppKit
#endif

/// What a view loads and shows: everything behind `view.easel`. It belongs to its view, and goes with it, which cancels its
/// loads.
///
/// All of `ImageTarget` is here; `ViewTarget+Setting` has it without a manager.
@MainActor
public final class ViewTarget: ImageTarget {
    /// The manager of all views that are not given another: `ImageManager.apple`. An application that uses the module `Easel`
    /// sets it to `ImageManager.shared` before it loads anything.
    public static var manager: ImageManager {
        get { chosenManager ?? .apple }
        set { chosenManager = newValue }
    }
    /// Apart, so that who chooses another never makes the default one.
    private static var chosenManager: ImageManager?

    /// The view; `nil` once it is gone.
    public private(set) weak var view: PlatformView?
    /// What is under way.
    public let targetState = ImageTargetState()

    init(_ view: PlatformView) {
        self.view = view
    }

    private var imageView: (any ImageView)? { view as? any ImageView }

    /// Pixels across and down of the view on its screen.
    public var pixelSize: PixelSize? { view?.backingSize }

    /// The view's size in pixels, and as it places images; the original for a view that draws them at their own size.
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

    /// Puts an indicator in the middle of the view, above everything in it.
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

/// An indicator that is a view, in the middle of the one that loads.
public protocol ViewIndicator: LoadIndicator {
    /// What is seen.
    var view: PlatformView { get }
}

extension ImageTransition.Step {
    /// The view that shows the image, for transitions of one's own.
    public var view: PlatformView? { (target as? ViewTarget)?.view }
}
#endif
