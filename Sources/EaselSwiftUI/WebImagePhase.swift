#if canImport(SwiftUI)
public import EaselCore
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
#endif
