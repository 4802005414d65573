/// One of the places of a target that show a picture. Each has a load of its own: setting one does not touch the others (S022,
/// S035, R020).
public struct ImageSlot: Sendable, Hashable {
    /// Where in the target.
    public var place: Place
    /// In which state of the target it is shown: the normal one, unless said otherwise.
    public var state: ControlState

    /// A place in a target.
    public enum Place: Sendable, Hashable {
        /// Its picture.
        case image
        /// What it shows while it is highlighted, where that is a picture of its own.
        case highlighted
        /// What is behind its title and picture.
        case background
        /// What a button shows while it is on.
        case alternate
        /// Any other, named by whoever shows it.
        case custom(String)
    }

    /// A place, in a state.
    public init(_ place: Place, for state: ControlState = .normal) {
        self.place = place
        self.state = state
    }

    /// The target's picture.
    public static let image = ImageSlot(.image)
    /// What the target shows while it is highlighted.
    public static let highlighted = ImageSlot(.highlighted)
    /// What is behind the target's title and picture.
    public static let background = ImageSlot(.background)
    /// What a button shows while it is on.
    public static let alternate = ImageSlot(.alternate)

    /// The target's picture in a state (X193).
    public static func image(for state: ControlState) -> ImageSlot { ImageSlot(.image, for: state) }
    /// What is behind the target's title and picture in a state (X193).
    public static func background(for state: ControlState) -> ImageSlot { ImageSlot(.background, for: state) }
    /// A place that the target knows by this name.
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
    /// Touched, or under a pressed mouse button.
    public static let highlighted = ControlState("highlighted")
    /// Not to be used now.
    public static let disabled = ControlState("disabled")
    /// Chosen.
    public static let selected = ControlState("selected")
    /// Where the keyboard goes.
    public static let focused = ControlState("focused")
}
