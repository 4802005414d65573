#if canImport(SwiftUI)
import EaselApple
public import EaselCore
import EaselViews
public import SwiftUI

/// The phase of the image of a `WebImage`.
public enum WebImagePhase {
    /// There is nothing to show yet.
    case empty
    /// A placeholder, or an image of lower quality than the final one.
    case preview(Image)
    /// The image, or the current frame of an animation.
    case success(Image)
    /// The load failed. Includes the error placeholder, if there is one.
    case failure(ImageError, Image?)

    /// The image to show, if there is one.
    public var image: Image? {
        switch self {
        case .empty: nil
        case .preview(let image), .success(let image): image
        case .failure(_, let image): image
        }
    }

    /// The error of a failed load.
    public var error: ImageError? {
        if case .failure(let error, _) = self { error } else { nil }
    }

    init(_ phase: WebImageModel.Phase) {
        self =
            switch phase {
            case .empty: .empty
            case .preview(let image): Image(image).map { .preview($0) } ?? .empty
            case .success(let image): Image(image).map { .success($0) } ?? .empty
            case .failure(let error, let image): .failure(error, image.flatMap { Image($0) })
            }
    }
}

extension Image {
    /// Creates a SwiftUI image with the image's scale, without a copy. Returns `nil` if Core Graphics fails. Assistive
    /// technology ignores it: add `accessibilityLabel(_:)`.
    nonisolated public init?(_ image: DecodedImage) {
        guard let bitmap = image.cgImage else { return nil }
        self.init(decorative: bitmap, scale: image.scale)
    }
}

extension ImageTransition {
    var animation: SwiftUI.Animation { .easeInOut(duration: duration / .seconds(1)) }

    /// The SwiftUI transition; opacity if SwiftUI has no equivalent.
    var anyTransition: AnyTransition {
        switch kind {
        case .none: .identity
        case .slide(let edge): .move(edge: edge.edge)
        case .zoom: .scale.combined(with: .opacity)
        default: .opacity
        }
    }
}

extension ImageTransition.Edge {
    fileprivate var edge: SwiftUI.Edge {
        switch self {
        case .leading: .leading
        case .trailing: .trailing
        case .top: .top
        case .bottom: .bottom
        }
    }
}
#endif
