#if canImport(UIKit) && !os(watchOS)
public import EaselApple
public import EaselCore
public import EaselViews
public import UIKit

/// Shows the image and background image for each state: `button.easel.setImage(with: url, in: .background(for:
/// .selected))`.
extension UIButton: ImageView {
    /// Shows an image for the state of the slot.
    public func showImage(_ image: DecodedImage?, in slot: ImageSlot) {
        let image = image.flatMap { UIImage($0) }
        switch slot.place {
        case .image: setImage(image, for: slot.state.controlState)
        case .background: setBackgroundImage(image, for: slot.state.controlState)
        default: break
        }
    }
}

extension ControlState {
    /// The names of single states. Others are named by number.
    private static let names: [(ControlState, UIControl.State)] = [
        (.normal, .normal), (.highlighted, .highlighted), (.disabled, .disabled), (.selected, .selected),
        (.focused, .focused),
    ]

    /// Creates the named state of a UIKit state, including combined and application-defined ones.
    public init(_ state: UIControl.State) {
        self = Self.names.first { $0.1 == state }?.0 ?? ControlState("UIControl.State \(state.rawValue)")
    }

    /// The UIKit state of the name; `normal` for a name from another platform.
    fileprivate var controlState: UIControl.State {
        if let known = Self.names.first(where: { $0.0 == self }) { return known.1 }
        return name.split(separator: " ").last.flatMap { UInt($0) }.map(UIControl.State.init(rawValue:)) ?? .normal
    }
}
#endif
