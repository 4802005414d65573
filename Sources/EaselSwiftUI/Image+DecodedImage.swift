#if canImport(SwiftUI)
import EaselApple
public import EaselCore
public import SwiftUI

extension Image {
    /// The image as SwiftUI takes it, at its scale, without a copy; `nil` where Core Graphics refuses it. It is decorative
    /// for those who do not see: add `accessibilityLabel(_:)`.
    nonisolated public init?(_ image: DecodedImage) {
        guard let bitmap = image.cgImage else { return nil }
        self.init(decorative: bitmap, scale: image.scale)
    }
}

extension ImageTransition {
    /// How long SwiftUI takes for it.
    var animation: SwiftUI.Animation { .easeInOut(duration: duration / .seconds(1)) }

    /// SwiftUI's name for it; it fades where SwiftUI has none.
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
