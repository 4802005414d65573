#if canImport(UIKit) || canImport(AppKit)
public import EaselCore
public import EaselViews
public import Foundation
import ObjectiveC
#if canImport(UIKit)
public import UIKit
#else
public import AppKit
#endif

extension PlatformView {
    /// The image loading of this view: `imageView.easel.setImage(with: url)`.
    public var easel: ViewTarget {
        if let target = objc_getAssociatedObject(self, &ViewTarget.key) as? ViewTarget { return target }
        let target = ViewTarget(self)
        objc_setAssociatedObject(self, &ViewTarget.key, target, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
        return target
    }
}

/// The image loading of a view, available as `view.easel`. It is released with its view, which cancels its loads.
///
/// It offers all of `ImageTarget`, also without a manager argument.
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
    /// Only the address is used, as the key of the associated object.
    fileprivate static var key: UInt8 = 0

    /// The view, or `nil` after it was released.
    public private(set) weak var view: PlatformView?
    /// The current loads.
    public let targetState = ImageTargetState()

    init(_ view: PlatformView) { self.view = view }

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
        view?.invalidateLayout()
    }

    /// Plays images in the view.
    public func showAnimation(of images: [DecodedImage]) {
        imageView?.playImages(images)
        view?.invalidateLayout()
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
        indicator.autoresizingMask = .staysCentered
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

extension ViewTarget {
    /// Shows the image of a request in a slot of the view, loaded with `ViewTarget.manager`. `setter` shows the images
    /// instead of the view.
    @discardableResult
    public func setImage(
        with request: ImageRequest, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, completion: ImageCompletion? = nil,
        progress: ImageProgress? = nil, setter: ImageSetter? = nil
    ) -> ImageTask {
        setImage(
            with: request, placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, in: slot,
            manager: Self.manager, completion: completion, progress: progress, setter: setter)
    }

    /// Shows the image at a URL, or only the placeholder if the URL is `nil`; the result is then `ImageError.invalidURL`.
    @discardableResult
    public func setImage(
        with url: URL?, placeholder: Placeholder? = nil, errorPlaceholder: Placeholder? = nil,
        options: TargetOptions = [], in slot: ImageSlot = .image, completion: ImageCompletion? = nil,
        progress: ImageProgress? = nil, setter: ImageSetter? = nil
    ) -> ImageTask? {
        setImage(
            with: url, placeholder: placeholder, errorPlaceholder: errorPlaceholder, options: options, in: slot,
            manager: Self.manager, completion: completion, progress: progress, setter: setter)
    }

    /// Plays the images of several URLs in order, after all are loaded.
    @discardableResult
    public func setAnimationImages(with urls: [URL], completion: FramesCompletion? = nil) -> [ImageTask] {
        setAnimationImages(with: urls, manager: Self.manager, completion: completion)
    }
}
#endif
