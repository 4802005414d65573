#if canImport(SwiftUI)
public import EaselCore
public import SwiftUI

/// How far an image of `WebImage` is.
public enum WebImagePhase {
    /// There is nothing to show yet.
    case empty
    /// A placeholder, or a coarser image than the one to come.
    case preview(Image)
    /// The image, or the frame of an animation that is to be seen now.
    case success(Image)
    /// There is none, and why; with the error placeholder, where there is one.
    case failure(ImageError, Image?)

    /// What there is to show.
    public var image: Image? {
        switch self {
        case .empty: nil
        case .preview(let image), .success(let image): image
        case .failure(_, let image): image
        }
    }

    /// Why there is no image.
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
