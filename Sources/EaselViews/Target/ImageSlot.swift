import EaselCore

/// A part of a target that shows an image. Each has a separate load: setting one does not affect the others.
public struct ImageSlot: Sendable, Hashable {
    package enum Place: Sendable, Hashable {
        case image, highlighted, background, alternate
        case custom(String)
    }

    package let place: Place
    /// The state of the target in which the image is shown.
    package let state: ControlState

    package init(_ place: Place, for state: ControlState = .normal) {
        self.place = place
        self.state = state
    }

    /// The target's image.
    public static let image = ImageSlot(.image)
    /// The target's image while it is highlighted.
    public static let highlighted = ImageSlot(.highlighted)
    /// The background of the target's title and image.
    public static let background = ImageSlot(.background)
    /// The image of a button that is on.
    public static let alternate = ImageSlot(.alternate)

    /// Returns the target's image in a state.
    public static func image(for state: ControlState) -> ImageSlot { ImageSlot(.image, for: state) }
    /// Returns the background of the target's title and image in a state.
    public static func background(for state: ControlState) -> ImageSlot { ImageSlot(.background, for: state) }
    /// Another part, by name.
    public static func custom(_ name: String) -> ImageSlot { ImageSlot(.custom(name)) }
}

/// A state of a control, by name: platforms add theirs.
public struct ControlState: Sendable, Hashable {
    package let name: String

    /// Creates a state with a name.
    public init(_ name: String) { self.name = name }

    /// The state of a control that is in none of the other states.
    public static let normal = ControlState("normal")
    /// The state of a pressed control.
    public static let highlighted = ControlState("highlighted")
    /// The state of a disabled control.
    public static let disabled = ControlState("disabled")
    /// The state of a selected control.
    public static let selected = ControlState("selected")
    /// The state of a control with the keyboard focus.
    package static let focused = ControlState("focused")
}
