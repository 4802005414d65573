#if canImport(SwiftUI)
import EaselApple
public import EaselCore
public import SwiftUI

extension Image {
    /// Creates a SwiftUI image with the image's scale, without a copy. Returns `nil` if Core Graphics fails. Assistive
    /// technology ignores it: add `accessibilityLabel(_:)`.
    nonisolated public init?(_ image: DecodedImage) {
        guard let bitmap = image.cgImage else { return nil }
        self.init(decorative: bitmap, scale: image.scale)
    }
}

extension ImageTransition {
    /// The SwiftUI animation.
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
