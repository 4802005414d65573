#if GTK
import CGTK
import EaselCore

/// How an image fits a view of another aspect ratio, like `GtkContentFit` and CSS's `object-fit`.
public enum ContentFit: Sendable, Hashable, CaseIterable {
    /// Stretches the image to the view.
    case fill
    /// Shows the whole image as large as possible.
    case contain
    /// Fills the view and crops the rest.
    case cover
    /// Like `contain`, but never enlarges the image.
    case scaleDown

    /// Returns the rectangle of an image in a view, in points.
    func place(of image: Extent, in view: Extent) -> Place {
        guard self != .fill, image.width > 0, image.height > 0 else {
            return Place(x: 0, y: 0, width: view.width, height: view.height)
        }
        let across = view.width / image.width
        let down = view.height / image.height
        let factor =
            switch self {
            case .cover: max(across, down)
            case .scaleDown: min(across, down, 1)
            case .contain, .fill: min(across, down)
            }
        let width = image.width * factor
        let height = image.height * factor
        return Place(x: (view.width - width) / 2, y: (view.height - height) / 2, width: width, height: height)
    }

    /// The content mode for decoding.
    var decoding: TargetSize.ContentMode {
        switch self {
        case .fill: .fill
        case .contain, .scaleDown: .aspectFit
        case .cover: .aspectFill
        }
    }

    init(_ fit: GtkContentFit) {
        self =
            switch fit {
            case GTK_CONTENT_FIT_FILL: .fill
            case GTK_CONTENT_FIT_COVER: .cover
            case GTK_CONTENT_FIT_SCALE_DOWN: .scaleDown
            default: .contain
            }
    }

    var gtk: GtkContentFit {
        switch self {
        case .fill: GTK_CONTENT_FIT_FILL
        case .contain: GTK_CONTENT_FIT_CONTAIN
        case .cover: GTK_CONTENT_FIT_COVER
        case .scaleDown: GTK_CONTENT_FIT_SCALE_DOWN
        }
    }
}

/// A width and a height in points.
struct Extent: Equatable {
    var width: Double
    var height: Double

    var isEmpty: Bool { width <= 0 || height <= 0 }
}

/// A rectangle in points, from the top left.
struct Place: Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// Returns the rectangle scaled around its centre.
    func scaled(by factor: Double) -> Place {
        Place(
            x: x + width * (1 - factor) / 2, y: y + height * (1 - factor) / 2, width: width * factor,
            height: height * factor)
    }

    var rectangle: graphene_rect_t {
        graphene_rect_t(
            origin: graphene_point_t(x: Float(x), y: Float(y)),
            size: graphene_size_t(width: Float(width), height: Float(height)))
    }
}
#endif
