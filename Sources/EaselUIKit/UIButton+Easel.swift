#if canImport(UIKit) && !os(watchOS)
public import EaselApple
public import EaselCore
public import UIKit

/// Its image and its background, for each state: `button.easel.setImage(with: url, in: .background(for: .selected))`.
extension UIButton: ImageView {
    /// Shows an image in the state that the slot names.
    public func showImage(_ image: DecodedImage?, in slot: ImageSlot) {
        let image = image.flatMap { UIImage($0) }
        switch slot.place {
        case .image: setImage(image, for: UIControl.State(slot.state))
        case .background: setBackgroundImage(image, for: UIControl.State(slot.state))
        default: break
        }
    }
}

extension ControlState {
    /// Names for the single states; what is left is named by number.
    private static let names: [(ControlState, UIControl.State)] = [
        (.normal, .normal), (.highlighted, .highlighted), (.disabled, .disabled), (.selected, .selected),
        (.focused, .focused),
    ]

    /// UIKit's states by name, several at once and an application's own among them.
    public init(_ state: UIControl.State) {
        self = Self.names.first { $0.1 == state }?.0 ?? ControlState("UIControl.State \(state.rawValue)")
    }

    fileprivate var controlState: UIControl.State {
        if let known = Self.names.first(where: { $0.0 == self }) { return known.1 }
        return name.split(separator: " ").last.flatMap { UInt($0) }.map(UIControl.State.init(rawValue:)) ?? .normal
    }
}

extension UIControl.State {
    /// The state of this name; `normal` for a name of another platform's.
    init(_ state: ControlState) { self = state.controlState }
}
#endif
