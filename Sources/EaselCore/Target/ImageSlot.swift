/// A place of a target that shows an image. Each has its own load: setting one does not affect the others.
public struct ImageSlot: Sendable, Hashable {
    /// Where in the target.
    public var place: Place
    /// The state of the target in which it is shown.
    public var state: ControlState

    /// A place in a target.
    public enum Place: Sendable, Hashable {
        /// Its image.
        case image
        /// The image while it is highlighted.
        case highlighted
        /// The background of its title and image.
        case background
        /// The image of a button that is on.
        case alternate
        /// Any other, by name.
        case custom(String)
    }

    /// A place, in a state.
    public init(_ place: Place, for state: ControlState = .normal) {
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

    /// The target's image in a state.
    public static func image(for state: ControlState) -> ImageSlot { ImageSlot(.image, for: state) }
    /// The background of the target's title and image in a state.
    public static func background(for state: ControlState) -> ImageSlot { ImageSlot(.background, for: state) }
    /// A place of this name.
    public static func custom(_ name: String) -> ImageSlot { ImageSlot(.custom(name)) }
}

/// A state of a control, by name: platforms add theirs.
public struct ControlState: Sendable, Hashable, ExpressibleByStringLiteral {
    /// Its name.
    public let name: String

    /// The state of this name.
    public init(_ name: String) { self.name = name }
    /// The state of this name.
    public init(stringLiteral name: String) { self.init(name) }

    /// None of the others.
    public static let normal = ControlState("normal")
    /// Pressed.
    public static let highlighted = ControlState("highlighted")
    /// Disabled.
    public static let disabled = ControlState("disabled")
    /// Selected.
    public static let selected = ControlState("selected")
    /// With the keyboard focus.
    public static let focused = ControlState("focused")
}
